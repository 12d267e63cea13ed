import Evocation
import EvocationLive
import EvocationSQLite
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

private struct Part: Codable, Identifiable, Sendable {
  var id: Int
}

/// What a service sends by itself, saved to a file.
@Suite(.patient) struct LiveFileTests {
  private let folder: TemporaryFolder
  private let remote = RepositoryMock<Part>(sendsLiveChanges: true, announcesConnection: true) {
    _ in
    []
  }

  init() throws { folder = try TemporaryFolder() }

  private func app(_ database: SQLiteDatabase) throws -> Evocation {
    let evocation = Evocation()
    evocation.live.start()
    evocation.register(for: Part.self).repository(remote: remote)
      .repository(local: try SQLiteRepository<Part>(database)).strategy(.remoteFirst)
    return evocation
  }

  private func parts(_ result: Evocation.Result<[Part]>?) -> [Int]? { result?.data?.map(\.id) }

  @Test func `The mark is saved with the changes, and a later launch goes on from it`() async throws
  {
    let first = try SQLiteDatabase(path: folder.path())
    var evocation = try app(first)
    var answers = evocation.observe(model: Part.self).makeAsyncIterator()
    _ = await answers.next()
    #expect(await remote.liveStreams(1))
    remote.send(RemoteChanges(mark: "0"))
    remote.send(RemoteChanges(stored: [Part(id: 1), Part(id: 2)], mark: "7"))
    #expect(parts(await answers.next()) == [1, 2])
    remote.send(RemoteChanges(removed: ["1"], mark: "8"))
    #expect(parts(await answers.next()) == [2])
    await first.close()
    let second = try SQLiteDatabase(path: folder.path())
    evocation = try app(second)
    var again = evocation.observe(model: Part.self).makeAsyncIterator()
    #expect(parts(await again.next()) == [2])
    #expect(await remote.liveStreams(2))
    #expect(remote.liveMarks.last == "8")
    await second.close()
  }

  @Test func `The date of the first synchronization is kept, also by a file from before it`()
    async throws
  {
    let first = try SQLiteDatabase(path: folder.path())
    var evocation = try app(first)
    await evocation.prefetch(Part.self)
    let date = try #require(await evocation.firstSync(of: Part.self))
    await first.close()
    let second = try SQLiteDatabase(path: folder.path())
    evocation = try app(second)
    await evocation.prefetch(Part.self)
    #expect(await evocation.firstSync(of: Part.self) == date)
    _ = try await second.write { db in
      try db.execute("ALTER TABLE evocation_fetches DROP COLUMN firstFetchedAt")
    }
    await second.close()
    let third = try SQLiteDatabase(path: folder.path())
    evocation = try app(third)
    let later = try #require(await evocation.firstSync(of: Part.self))
    #expect(later > date)
    await evocation.prefetch(Part.self)
    #expect(await evocation.firstSync(of: Part.self) == later)
    await third.close()
  }

  @Test func `Another connection to the file sees what arrives`() async throws {
    let (mine, other) = (
      try SQLiteDatabase(path: folder.path()), try SQLiteDatabase(path: folder.path())
    )
    let evocation = try app(mine)
    var answers = evocation.observe(model: Part.self).makeAsyncIterator()
    _ = await answers.next()
    let elsewhere = Evocation()
    elsewhere.register(for: Part.self)
      .repository(local: try SQLiteRepository<Part>(other)).strategy(.localOnly)
    var seen = elsewhere.observe(model: Part.self).makeAsyncIterator()
    _ = await seen.next()
    #expect(await remote.liveStreams(1))
    remote.send(RemoteChanges(stored: [Part(id: 5)]))
    #expect(parts(await seen.next()) == [5])
    await mine.close()
    await other.close()
  }

  @Test func `A flood is saved in batches, and the app's own writes take their turns`() async throws
  {
    let database = try SQLiteDatabase(path: folder.path())
    let evocation = Evocation()
    evocation.live.start()
    let service = FloodingService(count: 20_000)
    let local = try SQLiteRepository<Part>(database)
    evocation.register(for: Part.self).repository(remote: service).repository(local: local)
      .strategy(.localOnly)
    var answers = evocation.observe(model: Part.self).makeAsyncIterator()
    let commits = Lock(0)
    let observation = local.observeChanges { _ in commits.withLock { $0 += 1 } }
    var wait = Duration.zero
    var written = 0
    while let count = (await answers.next())?.data?.count, count < 20_000 + written {
      if written < 10 {
        written += 1
        let start = ContinuousClock.now
        #expect(await evocation.storeOne(Part(id: -written)).error == nil)
        wait = max(wait, ContinuousClock.now - start)
      }
    }
    #expect(commits.withLock { $0 } < 2_000)
    withExtendedLifetime(observation) {}
    await database.close()
  }
}

/// A service that sends models as fast as they are taken.
private final class FloodingService: LiveRepository {
  typealias Model = Part

  let count: Int

  init(count: Int) { self.count = count }

  func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Part>, any Error> {
    let sent = Lock(0)
    return AsyncThrowingStream { [count] in
      let id = sent.withLock { sent in
        sent += 1
        return sent
      }
      if id > count {
        let never = AsyncStream<Never> { _ in }
        for await _ in never {}
        return nil
      }
      return RemoteChanges(stored: [Part(id: id)], mark: "\(id)")
    }
  }

  func find(_ criteria: Criteria) async throws -> Response<[Part]> { throw CancellationError() }
  func store(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
  func update(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
  func remove(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
  func storeOrUpdate(_ models: [Part]) async throws -> Response<[Part]> { Response(models) }
}
