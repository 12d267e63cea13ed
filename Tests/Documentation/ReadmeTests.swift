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
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let running = try await Service.start()
    let (url, path) = (running.url, folder.appending(path: "cars.sqlite").path)
    running.stop()
    defer { Evocation.shared.unregister(Car.self) }
    let car = Car(id: 3, name: "Honda Civic", year: 1982)
    let service = HTTPService(url)
    let database = try SQLiteDatabase(path: path)
    try Evocation.register(
      Car.self, remote: HTTPRepository(service, "cars"), local: SQLiteRepository(database),
      strategy: .offlineFirst)

    let saved = await Evocation.storeOne(car)
    if let error = saved.error { print("Not saved:", error.localizedDescription) }
    if saved.isPending { print("Saved, and will be sent") }
    #expect(saved.isPending)
    #expect(try await Evocation.find(Car.self) == [car])
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
