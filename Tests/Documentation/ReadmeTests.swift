import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation
import TestTraits
import Testing

/// The samples of the README but for the first one, which is the example `Quick`.
@Suite(.patient) struct ReadmeTests {
  /// A model of its own, because `shared` has one proxy for each type and suites run side by side.
  private struct Car: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
    var year: Int
  }

  @Test func `a write waits in a file while the server is away`() async throws {
    struct Session {
      func token(renewed: Bool) async throws -> String { renewed ? "good" : "expired" }
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let running = try await Service.start(dialect: .company)
    let (url, session) = (running.url, Session())
    let path = folder.appending(path: "cars.sqlite").path
    running.stop()
    defer { Evocation.shared.unregister(Car.self) }
    var format = HTTPFormat()
    format.write(keys: .snakeCase)  // miles_per_gallon
    format.envelope = .key("data")  // {"data": [ … ], "meta": {"total": 406}}
    format.total = .key("meta.total")
    format.next = .offset  // ?limit=100&offset=200
    format.filters.largestPage = 100
    format.identifiers = .placeholder { $0.hasPrefix("-") }  // the service makes the ids
    var configuration = HTTPService.Configuration()
    configuration.authorization = { "Bearer \(try await session.token(renewed: $0 == .refusal))" }
    let service = HTTPService(url, configuration: configuration)
    let database = try SQLiteDatabase(path: path)
    try Evocation.register(
      Car.self, remote: HTTPRepository(service, "cars", format: format),
      local: SQLiteRepository(database), strategy: .offlineFirst)

    let new = Car(id: .temporary(), name: "", year: 1983)
    let saved = await Evocation.storeOne(new)
    if saved.isPending { print("Saved, and will be sent") }
    for entry in try await Evocation.shared.outbox.parked(Car.self) {
      print(entry.lastFailure?.fields ?? [:])  // ["name": ["can't be blank"]]
    }
    #expect(saved.isPending)
    #expect(try await Evocation.find(Car.self) == [new])
  }

  @Test func `the first sample is the example, and the README shows what it prints`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let program = try text("Examples/Quick/main.swift")
    let output = try text("Examples/Quick/expected.txt")
    let readme = try text("README.md")
    let blocks = readme.split(separator: "```")
    #expect(blocks.first { $0.hasPrefix("swift\n") } == "swift\n\(program)")
    #expect(blocks.first { $0.hasPrefix("text\n") } == "text\n\(output)")
  }
}
