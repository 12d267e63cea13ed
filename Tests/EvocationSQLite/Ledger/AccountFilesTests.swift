import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// A file for each account, of which one is registered at a time.
@Suite(.patient) struct AccountFilesTests {
  private let bed: ChangesBed
  private let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()

  init() throws { bed = try ChangesBed() }

  private func register(_ evocation: Evocation, _ account: Int) throws -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: bed.folder.path("\(account).sqlite"))
    evocation.register(for: LoggedPart.self)
      .repository(remote: RepositoryMock<LoggedPart> { _ in [LoggedPart(id: account)] })
      .repository(local: try SQLiteRepository<LoggedPart>(database))
      .strategy(.cacheFirst(maxAge: .seconds(60)))
    return database
  }

  private func parts(_ database: SQLiteDatabase) async throws -> [LoggedPart] {
    try await SQLiteRepository<LoggedPart>(database).find(Criteria()).value
  }

  @Test func `a cache shows, fetches and dates one account alone, and both stay fresh`()
    async throws
  {
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    let first = try register(evocation, 1)
    let cache = evocation.cache(LoggedPart.self, maxAge: .seconds(60))
    cache.requirements = Criteria()
    var states = cache.observe().makeAsyncIterator()
    while await states.next()?.cache != [LoggedPart(id: 1)] {}
    clock.advance(by: .seconds(10))
    let second = try register(evocation, 2)
    #expect(try await cache.refresh(force: true) == .successful)
    while let state = await states.next(), state.cache != [LoggedPart(id: 2)] {
      #expect(state.cache == nil)
    }
    #expect(
      try SQLiteRepository<LoggedPart>(first).storeName
        != SQLiteRepository<LoggedPart>(second).storeName)
    #expect(try await parts(first) == [LoggedPart(id: 1)])
    #expect(try await parts(second) == [LoggedPart(id: 2)])
    let tag = cache.source.tag(for: Criteria())
    let dates = try await [first, second].asyncMap {
      try await SQLiteFetchLedger($0).record(for: tag)?.fetchedAt
    }
    #expect(dates[1]?.timeIntervalSince(dates[0] ?? .distantPast) == 10)

    let again = try register(evocation, 1)
    #expect(try await cache.value(from: .cache) == [LoggedPart(id: 1)])
    #expect(await evocation.find(model: LoggedPart.self).origin == .local)
    for database in [first, second, again] { await database.close() }
  }

  @Test func `a ledger in a file knows into which store in memory something was fetched`()
    async throws
  {
    let database = try SQLiteDatabase(path: bed.folder.path())
    for _ in 0..<2 {
      let evocation = Evocation(
        configuration: .init(clock: clock, ledger: SQLiteFetchLedger(database)))
      evocation.register(for: LoggedPart.self).repository(remote: bed.service)
        .repository(local: InMemoryRepository<LoggedPart>())
        .strategy(.cacheFirst(maxAge: .seconds(60)))
      #expect(await evocation.find(model: LoggedPart.self).origin == .remote)
      #expect(await evocation.find(model: LoggedPart.self).origin == .local)
    }
    await database.close()
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(
    _ transform: (Element) async throws -> Value
  ) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
