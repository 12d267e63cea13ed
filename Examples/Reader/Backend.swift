import EvocationHTTP
import Fixtures
import Foundation

/// The service of the reader: a fixture service that it starts, or a service that already runs.
///
/// The reader can take it away and bring it back. It stops and starts the fixture service on the same
/// port. It sends no requests to any other service in the meantime.
final class Backend {
  /// The service as a library uses it.
  let source: Source
  private var service: Service?
  private let start: () async throws -> Service?

  private init(
    _ source: Source, _ service: Service?, start: @escaping () async throws -> Service?
  ) {
    (self.source, self.service, self.start) = (source, service, start)
  }

  /// Starts a fixture service that has the airports and no stars.
  static func own(
    in folder: URL, arguments: [String] = [], isLive: Bool
  ) async throws -> Backend {
    let stars = folder.appending(path: "stars.json")
    try Data("[]".utf8).write(to: stars)
    let data = [Airport.file, stars]
    let first = try await Service.start(data: data, dialect: .postgrest, arguments: arguments)
    let port = first.port
    return Backend(.rows(at: first.url, isLive: isLive), first) {
      try await Service.start(data: data, dialect: .postgrest, arguments: arguments, port: port)
    }
  }

  /// Returns the backend of a service that already runs.
  static func running(_ source: Source) -> Backend {
    Backend(source, nil) { nil }
  }

  func stop() {
    source.connection.isCut = true
    service?.stop()
    service = nil
  }

  func startAgain() async throws {
    try await startForOthers()
    source.connection.isCut = false
  }

  /// Starts the service, to which the reader has no connection yet.
  func startForOthers() async throws {
    if service == nil { service = try await start() }
  }

  /// Has the service hold back the requests of a method and a path, until they are released.
  func hold(_ method: String, _ path: String) async throws {
    try await service?.control(.silent().only(method: method, path: path))
  }

  func release() async throws { try await service?.release() }

  /// Returns how many requests of a method, and of a path if there is one, the service received since
  /// its last start; nil if it cannot say.
  func count(_ method: String, _ path: String? = nil) async throws -> Int? {
    try await service?.requests().count { $0.method == method && path ?? $0.path == $0.path }
  }
}
