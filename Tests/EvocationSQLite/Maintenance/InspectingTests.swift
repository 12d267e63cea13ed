import Evocation
import EvocationInspection
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// What an inspection says of a file.
@Suite(.patient) struct InspectingTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let evocation = Evocation()

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    try evocation.register(
      Car.self, local: SQLiteRepository(database, indexes: ["year"]), strategy: .localOnly)
  }

  @Test func `It has the sizes and the tables of the file, and who is in it`() async throws {
    _ = await evocation.store((0..<100).map { Car(id: $0, name: "\($0)", year: $0) })
    let inspection = await evocation.inspection()
    let file = try #require(inspection.files.first)
    #expect(inspection.files.count == 1 && file.path == database.path)
    #expect(file.tables == ["car"] && file.models == ["Car"] && file.freeSize == 0)
    #expect(inspection.models.first?.count == 100)
    #expect(inspection.models.first?.local?.name == database.path)
  }

  @Test func `It tells a query by an index from one that reads the whole table`() async throws {
    _ = await evocation.inspection()
    _ = try await evocation.find(Car.self, where: \.name == "1")
    _ = try await evocation.find(Car.self, where: \.year == 1)
    let queries = try #require(await evocation.inspection().models.first?.queries)
    #expect(queries.map(\.criteria) == ["{year}", "{name}"])
    #expect(queries.map(\.isScan) == [false, true])
    #expect(queries.first?.plan.first?.hasPrefix("SEARCH car USING INDEX") == true)
    #expect(queries.last?.plan.first == "SCAN car")
  }

  @Test func `A search for words reads no whole table`() async throws {
    let searching = Evocation()
    try searching.register(
      Car.self, local: SQLiteRepository(.inMemory(), indexes: [.fullText(\Car.name)]),
      strategy: .localOnly)
    _ = await searching.inspection()
    _ = try await searching.find(Car.self, where: .matching("ford"))
    let queries = try #require(await searching.inspection().models.first?.queries)
    #expect(queries.map(\.criteria) == ["{matching}"])
    #expect(queries.map(\.isScan) == [false])
  }

  @Test func `A closed file is left out, and everything else is there`() async throws {
    await database.close()
    let inspection = await evocation.inspection()
    #expect(inspection.files.isEmpty && inspection.models.first?.count == nil)
    #expect(inspection.models.map(\.name) == ["Car"])
  }
}
