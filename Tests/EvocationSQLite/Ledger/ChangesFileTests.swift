import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import EvocationCaching
@testable import SQLiteSupport

/// Files whose service lists what changed since a mark.
@Suite(.patient) struct ChangesFileTests {
  private let bed: ChangesBed

  init() throws { bed = try ChangesBed() }

  private var service: ChangingService { bed.service }

  @Test func `another process that fetched meanwhile has its changes kept`() async throws {
    let (app, other) = (try bed.app(.file), try bed.app(.file))
    #expect(try await app.cache().refresh() == .successful)
    service.put([LoggedPart(id: 4)])
    let gate = Gate()
    service.set(gate: gate)
    let refresh = Task { try await app.cache().refresh(force: true) }
    await gate.arrivals(1)
    service.set(gate: nil)
    service.put([LoggedPart(id: 4, name: "newer")])
    #expect(try await other.cache().refresh(force: true) == .successful)
    gate.open()
    #expect(try await refresh.value == .successful)
    #expect(service.asked == ["", "3", "3", "5"])
    #expect(try await app.parts() == service.parts)
    await other.database?.close()
  }

  @Test func `a table that was made or changed anew makes every mark old`() async throws {
    struct Newer: SQLiteModel, Equatable {
      static let table = "loggedPart"
      var id: Int
      var kind = 1
      var name = ""
      var weight: Double?
    }
    let changes: [@Sendable (SQLiteDatabase) async throws -> Void] = [
      { _ = try SQLiteRepository<Newer>($0) },
      { try await $0.write { _ = try $0.execute("DROP TABLE loggedPart") } },
      { _ = try $0.migrate([SQLiteMigration("nothing", "SELECT 1")]) },
    ]
    for change in changes {
      let first = try bed.app(.file)
      #expect(try await first.cache().refresh(force: true) == .successful)
      await first.database?.close()
      let between = try SQLiteDatabase(path: bed.folder.path())
      try await change(between)
      await between.close()
      let count = service.asked.count
      let second = try bed.app(.file)
      #expect(try await second.cache().refresh(force: true) == .successful)
      #expect(service.asked.dropFirst(count) == [""])
      #expect(try await second.parts() == service.parts)
      await second.database?.close()
    }
  }
}
