import EvocationHTTP
import Fixtures
import Foundation

/// The service behind the reader: one of its own, or one that runs already.
///
/// It can go away and come back. One of its own is stopped and started, on the same port; any other is only
/// asked no more.
final class Backend {
  /// How a library speaks to it.
  let source: Source
  private var service: Service?
  private let start: () async throws -> Service?

  private init(
    _ source: Source, _ service: Service?, start: @escaping () async throws -> Service?
  ) {
    (self.source, self.service, self.start) = (source, service, start)
  }

  /// Starts a service, which keeps what it is sent in a folder.
  static func own(in folder: URL, arguments: [String] = []) async throws -> Backend {
    let stars = folder.appending(path: "stars.json")
    try Data("[]".utf8).write(to: stars)
    let data = [Airport.file, stars]
    let first = try await Service.start(data: data, dialect: .postgrest, arguments: arguments)
    let port = first.port
    return Backend(.rows(at: first.url), first) {
      try await Service.start(data: data, dialect: .postgrest, arguments: arguments, port: port)
    }
  }

  /// One that runs already.
  static func running(_ source: Source) -> Backend {
    Backend(source, nil) { nil }
  }

  func stop() {
    source.connection.isCut = true
    service?.stop()
    service = nil
  }

  func startAgain() async throws {
    service = try await start()
    source.connection.isCut = false
  }

  /// How many models it was sent since it was last started; nil where it does not tell.
  func additions() async throws -> Int? {
    try await service?.requests().count { $0.method == "POST" }
  }
}
