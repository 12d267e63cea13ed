import Evocation
import EvocationHTTP
import Foundation
import TransportSuite

/// A service of a few lines: keeps what it was asked, and answers by a closure.
struct Scripted: HTTPTransport {
  typealias Answer = (status: Int, headers: [String: String], body: String)

  let asked = Record<HTTPTransportRequest>()
  private let answer: @Sendable (HTTPTransportRequest) throws -> Answer

  init(_ answer: @escaping @Sendable (HTTPTransportRequest) throws -> Answer) {
    self.answer = answer
  }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    asked.append(request)
    let answer = try answer(request)
    return HTTPTransportResponse(
      status: answer.status, headers: answer.headers, body: One(data: Data(answer.body.utf8)))
  }

  /// The requests so far: `GET /cars?limit=1`.
  var lines: [String] {
    asked.elements.map { request in
      let query = request.url.query().map { "?\($0)" } ?? ""
      return "\(request.method) \(request.url.path())\(query)"
    }
  }

  /// A repository of it.
  func things(
    _ path: String = "things", at url: String = "https://example.com",
    _ change: (inout Setup) -> Void = { _ in }
  ) throws -> HTTPRepository<Thing> {
    var setup = Setup(.rest)
    setup.transport = self
    change(&setup)
    guard let url = URL(string: url) else { throw URLError(.badURL) }
    return HTTPRepository(at: url, path, setup)
  }

  private struct One: AsyncSequence, Sendable {
    let data: Data

    func makeAsyncIterator() -> Iterator { Iterator(data: data) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate var data: Data?

      mutating func next() async throws -> Data? {
        defer { data = nil }
        return data
      }
    }
  }
}

/// A model with little to say.
struct Thing: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String? = nil
  var rev: Int? = nil

  /// So many, of which the first has an id.
  static func list(_ count: Int, from first: Int = 1) -> [Thing] {
    (first..<first + count).map { Thing(id: $0) }
  }

  /// As the service sends them.
  static func json(_ things: [Thing]) -> String {
    let data = try? HTTPFormat.defaultEncoder().encode(things)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

extension HTTPTransportRequest {
  /// An item of the query.
  func item(_ name: String) -> String? {
    URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?
      .first { $0.name == name }?.value
  }

  func number(_ name: String) -> Int? { item(name).flatMap { Int($0) } }
}
