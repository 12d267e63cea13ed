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
    let body = try await response.body.collected(limit: limit)
    guard let body else { throw tooLarge }
    self.init(status: response.status, headers: response.headers, body: body)
  }
}

extension AsyncSequence where Element == Data, Failure == any Error {
  /// Returns all pieces together; nil if they are longer than the limit.
  fileprivate func collected(limit: Int) async throws -> Data? {
    var all = Data()
    for try await piece in self {
      guard piece.count <= limit - all.count else { return nil }
      if all.isEmpty { all = piece } else { all.append(piece) }
    }
    return all
  }
}
