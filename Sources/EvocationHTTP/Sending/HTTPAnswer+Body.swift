import Evocation
import Foundation

extension HTTPAnswer {
  /// Reads a whole answer, if it is no longer than the limit.
  init(_ response: HTTPTransportResponse, limit: Int) async throws {
    let tooLarge = HTTPError(
      .tooLarge, status: response.status, headers: response.headers, reason: "\(limit) bytes"
    )
    if let length = response.headers["content-length"].flatMap({ Int64($0) }), length > limit {
      throw tooLarge
    }
    var body = Data()
    for try await piece in response.body {
      guard piece.count <= limit - body.count else { throw tooLarge }
      body.append(piece)
    }
    self.init(status: response.status, headers: response.headers, body: body)
  }

  /// Takes the head of an answer, whose body is read as it arrives.
  init(streamed response: HTTPTransportResponse) {
    self.init(status: response.status, headers: response.headers, body: Data())
    stream = response.body
  }
}
