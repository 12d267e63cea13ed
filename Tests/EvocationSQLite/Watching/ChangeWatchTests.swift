import Evocation
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite(.patient) struct ChangeWatchTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let cars: SQLiteRepository<Car>

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    cars = try SQLiteRepository<Car>(database)
  }

  private static func insert(_ id: Int) -> String {
    "INSERT INTO car VALUES (\(id), 'other', NULL, 1, '[]', NULL)"
  }

  /// What an observer was told, as words, one after the other.
  private func observe(
    _ cars: SQLiteRepository<Car>
  ) -> (Evocation.Observation, AsyncStream<String>.Iterator) {
    let (told, continuation) = AsyncStream<String>.makeStream()
    let observation = cars.observeChanges { change in
      guard case .models(let stored, let updated, let removed) = change.extent else {
        continuation.yield("unknown")
        return
      }
      continuation.yield("+\(stored.count) ~\(updated.count) -\(removed.count)")
    }
    return (observation, told.makeAsyncIterator())
  }

  @Test func `What another process commits is seen`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
    let other = try await OtherProcess(folder.path())
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next(isolation: nil)?.data?.map(\.id) == [])
    for id in 1...5 {
      #expect(try await other.run(Self.insert(id)).hasPrefix("done"))
      #expect(await answers.next(isolation: nil)?.data?.map(\.id) == Array(1...id))
    }
    _ = try await other.run("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try await other.run("DELETE FROM car WHERE id < 5").hasPrefix("done"))
    #expect(await answers.next(isolation: nil)?.data?.map(\.id) == [5])
  }

  @Test func `What another connection of this process commits is seen`() async throws {
    let other = try SQLiteRepository<Car>(SQLiteDatabase(path: folder.path()))
    var (observation, told) = observe(cars)
    try await other.store([Car(id: 1, name: "a")])
    #expect(await told.next() == "unknown")
    observation.cancel()
  }

  @Test func `Our own commits are told once, and others' before ours that come after`()
    async throws
  {
    let other = try SQLiteRepository<Car>(SQLiteDatabase(path: folder.path()))
    var (observation, told) = observe(cars)
    for id in 1...50 { try await cars.store([Car(id: id, name: "a")]) }
    await #expect(throws: EvocationError.self) { try await cars.store([Car(id: 1, name: "a")]) }
    for _ in 1...50 { #expect(await told.next() == "+1 ~0 -0") }
    for id in 51...60 {
      try await other.store([Car(id: id, name: "b")])
      try await cars.update([Car(id: id, name: "c")])
      #expect(await told.next() == "unknown")
      #expect(await told.next() == "+0 ~1 -0")
    }
    observation.cancel()
  }

  @Test func `What others commit while a write of ours waits for them is seen`() async throws {
    let other = try await OtherProcess(folder.path())
    var (observation, told) = observe(cars)
    _ = try await other.run("BEGIN IMMEDIATE")
    async let stored = cars.store([Car(id: 9, name: "ours")])
    _ = try await other.run(Self.insert(1))
    _ = try await other.run("COMMIT")
    #expect(await told.next() == "unknown")
    _ = try await stored
    var next = await told.next()
    while next == "unknown" { next = await told.next() }
    #expect(next == "+1 ~0 -0")
    observation.cancel()
  }

  @Test func `Nothing is watched while nobody observes, nor after closing`() async throws {
    #expect(!database.watch.isWatching)
    let first = cars.observeChanges { _ in }
    let second = cars.observeChanges { _ in }
    #expect(database.watch.isWatching)
    first.cancel()
    first.cancel()
    #expect(database.watch.isWatching)
    second.cancel()
    #expect(!database.watch.isWatching)
    let third = cars.observeChanges { _ in }
    #expect(database.watch.isWatching)
    await database.close()
    #expect(!database.watch.isWatching)
    third.cancel()
    let memory = try SQLiteDatabase.inMemory()
    let fourth = try SQLiteRepository<Car>(memory).observeChanges { _ in }
    #expect(!memory.watch.isWatching)
    fourth.cancel()
  }

  @Test func `Observing does not keep the database`() async throws {
    weak var weakly: SQLiteDatabase?
    var observation: Evocation.Observation?
    do {
      let other = try SQLiteDatabase(path: folder.path("other.sqlite"))
      weakly = other
      observation = try SQLiteRepository<Car>(other).observeChanges { _ in }
    }
    #expect(weakly == nil)
    observation?.cancel()
  }

  #if os(Linux)
    /// A watch of its own, which looks only after a report that the log was written.
    private func watch(_ log: String) -> ChangeWatch {
      ChangeWatch(
        database.writer, tables: database.tables, commits: database.commits, log: log,
        times: WatchTimes(
          first: .milliseconds(1), often: .milliseconds(1), seldom: .never, leeway: .nanoseconds(0)
        ))
    }

    @Test func `The log of another process's commit leads to a look, and nothing else does`()
      async throws
    {
      let other = try await OtherProcess(folder.path())
      let watch = watch(folder.path() + "-wal")
      let watching = watch.begin()
      let told = Lock(0)
      let observation = database.tables.withLock { $0["car"] }?.observeAny {
        told.withLock { $0 += 1 }
      }
      #expect(watch.lookCount == 0)
      // A commit can be seen later than its log is written, and later than the watch looks under load.
      func isTold(_ sql: String) async throws {
        let before = told.withLock { $0 }
        try await eventually("a commit is noticed") {
          try await other.run(sql)
          return told.withLock { $0 } > before
        }
      }
      for id in 1...3 {
        try await isTold("INSERT OR REPLACE INTO car VALUES (\(id), 'other', NULL, 1, '[]', NULL)")
        try await eventually("it looks seldom again") { !watch.isOften }
      }
      let count = watch.lookCount
      #expect(count >= 60)
      try await eventually("a report of a commit of our own is followed") {
        try await cars.storeOrUpdate([Car(id: 4, name: "ours")])
        return watch.lookCount > count
      }
      try await eventually("it looks seldom again") { !watch.isOften }
      // The log also begins anew, and is cut off.
      _ = try await database.checkpoint(.truncate)
      try await isTold("UPDATE car SET name = 'changed'")
      observation?.cancel()
      watching?.cancel()
      watch.close()
    }

    @Test func `A log that nobody reports of is looked at often`() async throws {
      let watch = watch(folder.path("no such log"))
      let watching = watch.begin()
      try await eventually("it has looked often") { watch.lookCount > 50 }
      #expect(watch.isOften)
      watching?.cancel()
    }
  #endif
}
