import Evocation
import Foundation

extension HTTPAnswer {
  /// Reads an answer whole, as long as it is no longer than the limit.
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
  /// Takes the body in short pieces; false when it is longer than the limit.
  func each(limit: Int, _ take: (Data) async throws -> Void) async throws -> Bool {
    var rest = limit
    for try await piece in self {
      rest -= piece.count
      guard rest >= 0 else { return false }
      var start = piece.startIndex
      while start < piece.endIndex {
        let end = piece.index(start, offsetBy: 1 << 16, limitedBy: piece.endIndex) ?? piece.endIndex
        try await take(piece[start..<end])
        start = end
      }
    }
    return true
  }

  /// All pieces together; nil when they are longer than the limit.
  fileprivate func collected(limit: Int) async throws -> Data? {
    var all = Data()
    for try await piece in self {
      guard piece.count <= limit - all.count else { return nil }
      if all.isEmpty { all = piece } else { all.append(piece) }
    }
    return all
  }
}
