import Evocation
import EvocationHTTP
import EvocationSQLite
import Foundation
import TestSupport
import TestTraits
import Testing

/// What the page on important defaults shows, and the figures that it names.
@Suite(.patient) struct ImportantDefaultsTests {
  private struct Car: Codable, Identifiable, Sendable {
    var id: Int
    var origin: String
    var year: Int
  }

  @Test func `a model type is registered with its strategy`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let cars = InMemoryRepository<Car>()
    defer { Evocation.shared.unregister(Car.self) }
    try Evocation.shared.register(
      Car.self, remote: cars, local: try SQLiteRepository(database), strategy: .offlineFirst)
    #expect(try await Evocation.count(Car.self) == 0)
  }

  @Test @MainActor func `views and caches are made in a line`() {
    let cars = ObservedModels(Car.self, where: \.origin == "Japan")
    #expect(cars.criteria == ["origin": "Japan"])
    let recent = Evocation.cache(Car.self, where: \.year >= 1980, maxAge: .hours(5))
    #expect(recent.source.maxAge == .seconds(18_000))
  }

  @Test func `a database leaves the main thread`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "cars.sqlite").path
    let database = try SQLiteDatabase(
      path: path, configuration: .init(leavesMainThread: true))
    await database.close()
  }

  @Test func `the page's figures are those of the code`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/Evocation/Evocation.docc/ImportantDefaults.md"), encoding: .utf8
    ).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let service = HTTPService.Configuration()
    #expect(service.timeout == .seconds(30))
    #expect(page.contains("after 30 seconds"))
    #expect(service.maximumResponseSize == 64 << 20)
    #expect(HTTPFormat().maximumPages == 1_000)
    #expect(page.contains("64 MiB together, and 1,000 pages"))
    #expect(service.limits.requestsAtOnce == 6)
    #expect(page.contains("at most six requests"))
    #expect(Outbox.Configuration().retry.maximumDelay == .minutes(5))
    #expect(page.contains("up to five minutes"))
    #expect(Outbox.Configuration.fleet.retry.maximumDelay == .minutes(20))
    #expect(page.contains("up to twenty minutes"))
    #expect(SQLiteDatabase.Configuration().synchronous == .normal)
    #expect(!SQLiteDatabase.Configuration().leavesMainThread)
    for strategy in [Strategy.remoteFirst, .cacheFirst(maxAge: .hours(1)), .offlineFirst]
      + [.staleWhileRevalidate(maxAge: .hours(1))]
    {
      #expect(strategy[.find].synchronize == .mirror && strategy[.findOne].synchronize == .mirror)
      #expect(strategy[.find].timeout == nil && strategy[.find].retry == nil)
    }
    #expect(Strategy.default()[.find].synchronize == .upsert)
    #expect(CacheOptions().removesMissing && CacheOptions().automaticallyRefresh)
    #expect(ListOptions().refreshes == .firstPage && ListOptions().maxPages == nil)
  }
}
