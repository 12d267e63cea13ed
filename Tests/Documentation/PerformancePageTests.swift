import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import TestTraits
import Testing

/// The samples of the page on performance, word for word, and the figures that it names.
@Suite(.patient) struct PerformancePageTests {
  private struct Trip: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var car: Int
    var start: Date
    var length: Double
  }

  private func trips(_ count: Int) -> [Trip] {
    (0..<count).map {
      Trip(id: $0, car: 7, start: Date(timeIntervalSinceReferenceDate: Double($0)), length: 0.5)
    }
  }

  @Test func `a database leaves the main thread`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "trips.sqlite").path
    let configuration = SQLiteDatabase.Configuration(leavesMainThread: true)
    let database = try SQLiteDatabase(path: path, configuration: configuration)
    #expect(database.path == path)
    await database.close()
  }

  @Test func `a query has an index, a limit, and a stream`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let trips = try SQLiteRepository<Trip>(database, indexes: [SQLiteIndex("car", "start")])
    let evocation = Evocation()
    try evocation.register(Trip.self, local: trips)
    let imported = self.trips(2_500)
    for start in stride(from: 0, to: imported.count, by: 1_000) {
      let batch = Array(imported[start..<min(start + 1_000, imported.count)])
      if let error = await evocation.storeOrUpdate(batch).error { throw error }
    }
    let newest = try await evocation.find(
      Trip.self, where: \.car == 7, sortedBy: \.start, descending: true, limit: 50)
    let all = try await evocation.count(Trip.self, where: \.car == 7)
    #expect(newest == Array(imported.reversed().prefix(50)) && all == 2_500)

    var length = 0.0
    for try await trip in trips.stream(Criteria().sorted(by: "start")) { length += trip.length }
    #expect(length == 1_250)

    let plan = try await database.read { db in
      try db.rows("EXPLAIN QUERY PLAN SELECT * FROM trip WHERE car = ? ORDER BY start", [7])
        .compactMap { $0["detail"] }
    }
    #expect(plan == [.text("SEARCH trip USING INDEX trip(car,start) (car=?)")])
  }

  @Test func `requests are limited, and a log measures`() {
    #expect(HTTPService.Configuration().limits.requestsAtOnce == 6)
    var service = HTTPService.Configuration()
    service.limits.requestsAtOnce = 4
    let log = Evocation.Log.console(levels: [.calls, .http, .sql])
    #expect(service.limits.requestsAtOnce == 4 && !"\(log)".isEmpty)
    let file = SQLiteDatabase.Configuration()
    #expect(file.pageCacheSize == 8 << 20 && file.maximumReaderCount == 4)
  }
}
