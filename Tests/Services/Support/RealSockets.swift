import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the service of WebSockets keeps; it has further keys.
struct Item: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String
}

/// The service of `Fixtures/real/sockets.py`, which a test may kill while it sends.
struct RealSockets: Sendable, CustomStringConvertible {
  /// It, if it runs, once for each test.
  static let running: [RealSockets] = {
    let said = ProcessInfo.processInfo.environment["EVOCATION_SERVICES", default: ""]
    let address = said.split(separator: " ").first { $0.hasPrefix("sockets=") }
    return [address.flatMap { URL(string: String($0.dropFirst("sockets=".count))) }]
      .compactMap { $0.map(RealSockets.init) }
  }()

  /// Where it is told what to do.
  let control: URL

  var description: String { "sockets" }

  /// Has it do something, and returns where the service itself listens.
  @discardableResult
  private func ask(_ wish: String) async throws -> URL {
    var request = URLRequest(url: control.appending(path: "do"))
    request.httpMethod = "POST"
    request.httpBody = Data(wish.utf8)
    let (data, _) = try await URLSession.shared.data(for: request)
    let text = "http://127.0.0.1:\(String(decoding: data, as: UTF8.self))"
    guard let url = URL(string: text) else { throw Unexpected(description: text) }
    return url
  }

  /// Empties it, and returns where it listens.
  func empty() async throws -> URL { try await ask(#""empty""#) }

  func kill() async throws { try await ask(#""kill""#) }

  func start() async throws { try await ask(#""start""#) }

  func store(_ id: Int, _ name: String = "new") async throws {
    try await ask(#"{"store": {"id": \#(id), "name": "\#(name)", "origin": "Europe"}}"#)
  }

  func remove(_ id: Int) async throws { try await ask(#"{"remove": \#(id)}"#) }

  /// Stores so many, with ids from 1 on.
  func flood(_ count: Int) async throws {
    try await ask(#"{"flood": {"id": 1, "name": "new", "origin": "Europe"}, "count": \#(count)}"#)
  }
}
