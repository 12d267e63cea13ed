import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct RegisteringAgainTests {
  private struct Trip: Codable, Identifiable, Hashable, Sendable {
    var id: Int
  }

  /// In release mode it once ended the process, where another model kept the ledger's registry alive.
  @Test func `a model that was unregistered is registered on its database again, and found`()
    async throws
  {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let evocation = Evocation()
    try evocation.register(
      Trip.self, remote: InMemoryRepository([Trip(id: 7)]),
      local: SQLiteRepository<Trip>(database), strategy: .remoteFirst)
    let trips = evocation.cache(Trip.self)
    trips.requirements = Criteria()
    var states = trips.observe().makeAsyncIterator()
    while await states.next()?.cache != [Trip(id: 7)] {}

    for id in 1...5 {
      try evocation.register(
        LoggedPart.self, remote: InMemoryRepository([LoggedPart(id: id)]),
        local: SQLiteRepository<LoggedPart>(database), strategy: .remoteFirst)
      #expect(try await evocation.find(LoggedPart.self) == [LoggedPart(id: id)])
      evocation.unregister(LoggedPart.self)
    }
    #expect(try await trips.value(from: .cache) == [Trip(id: 7)])
    await database.close()
  }
}
