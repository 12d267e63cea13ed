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

/// A cache of a service that lists what changed since a mark.
@Suite(.patient) struct ChangesTests {
  private let bed: ChangesBed

  init() throws { bed = try ChangesBed() }

  private var service: ChangingService { bed.service }

  @Test(arguments: CacheStore.Place.allCases)
  func `after the first refresh only what changed is asked for, and local is as the service`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    #expect(try await app.parts() == service.parts)
    service.put([LoggedPart(id: 2, name: "new"), LoggedPart(id: 4)])
    service.drop([1])
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await app.parts() == service.parts)
    #expect(try await cache.value(from: .cache) == service.parts)
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await app.parts() == service.parts)
    #expect(service.asked == ["", "3", "6"] && service.finds == 0)
    #expect(try await app.mark(cache) == "6")
  }

  @Test func `a restart goes on with the mark that a file has, and with none in memory`()
    async throws
  {
    for (place, marks) in [(CacheStore.Place.file, ["", "3"]), (.memory, ["", ""])] {
      let start = service.asked.count
      let first = try bed.app(place)
      #expect(try await first.cache().refresh() == .successful)
      await first.database?.close()
      let second = try bed.app(place)
      #expect(try await second.cache().refresh(force: true) == .successful)
      #expect(Array(service.asked.dropFirst(start)) == marks)
      #expect(try await second.parts() == service.parts)
      await second.database?.close()
    }
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a mark that the service refuses is answered with everything, and nothing else stays`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    service.drop([2])
    service.forgetChanges()
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await app.parts() == service.parts)
    service.put([LoggedPart(id: 9)])
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(service.asked == ["", "3", "4"] || service.asked == ["", "3", "5"])
    #expect(try await app.parts() == service.parts)
  }

  @Test func `a commit that fails leaves models and mark, and the same is asked for again`()
    async throws
  {
    let app = try bed.app(.file)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    let before = try await app.parts()
    try await app.database?.write { db in
      _ = try db.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON evocation_fetches BEGIN SELECT RAISE(ABORT, 'no'); "
          + "END")
    }
    service.put([LoggedPart(id: 4)])
    service.drop([1])
    guard case .failed = try await cache.refresh(force: true) else {
      Issue.record("It was saved.")
      return
    }
    #expect(try await app.parts() == before)
    #expect(try await app.mark(cache) == "3")
    try await app.database?.write { _ = try $0.execute("DROP TRIGGER refuse") }
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(service.asked == ["", "3", "3"])
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `what the app writes meanwhile stays, and the service says its changes again`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, .localOnly)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    service.put([LoggedPart(id: 1, name: "theirs"), LoggedPart(id: 4)])
    service.drop([2])
    let gate = Gate()
    service.set(gate: gate)
    let refresh = Task { try await cache.refresh(force: true) }
    await gate.arrivals(1)
    #expect(await app.evocation.update([LoggedPart(id: 1, name: "mine")]).error == nil)
    gate.open()
    #expect(try await refresh.value == .successful)
    #expect(
      try await app.parts() == [
        LoggedPart(id: 1, name: "mine"), LoggedPart(id: 3, kind: 2), LoggedPart(id: 4),
      ])
    #expect(try await app.mark(cache) == "3")
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await app.parts() == service.parts)
    #expect(try await app.mark(cache) == "6")
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a removal that the app overtakes with a write is said again`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, .localOnly)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    service.drop([2])
    let gate = Gate()
    service.set(gate: gate)
    let refresh = Task { try await cache.refresh(force: true) }
    await gate.arrivals(1)
    #expect(await app.evocation.update([LoggedPart(id: 2, name: "mine")]).error == nil)
    gate.open()
    #expect(try await refresh.value == .successful)
    #expect(try await app.parts().contains(LoggedPart(id: 2, name: "mine")))
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `changes of a cache that was cleared meanwhile are dropped, and everything is fetched`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    service.put([LoggedPart(id: 4)])
    let gate = Gate()
    service.set(gate: gate)
    let refresh = Task { try await cache.refresh(force: true) }
    await gate.arrivals(1)
    let tag = cache.source.tag(for: Criteria())
    try await cache.source.ledger?.erase(tag: tag)
    _ = try await app.local.remove(app.parts())
    gate.open()
    #expect(try await refresh.value == .successful)
    #expect(service.asked == ["", "3", ""])
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a cache that is cleared or given by the app begins anew, one declared stale goes on`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    try await cache.invalidate()
    #expect(try await cache.refresh() == .successful)
    try await cache.clear()
    #expect(try await app.parts().isEmpty)
    #expect(try await cache.refresh() == .successful)
    try await cache.update([LoggedPart(id: 1, name: "given")])
    #expect(try await app.mark(cache) == nil)
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(service.asked == ["", "3", "", ""])
    #expect(try await app.parts() == service.parts)
    try await app.evocation.clearCaches(of: LoggedPart.self)
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(service.asked.last == "")
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `two tags have a mark each, and what leaves one stays in the other`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place)
    let (all, ones) = (app.cache(), app.cache(["kind": 1]))
    #expect(try await all.refresh() == .successful)
    #expect(try await ones.refresh() == .successful)
    service.put([LoggedPart(id: 1, kind: 2)])
    service.drop([2])
    #expect(try await all.refresh(force: true) == .successful)
    #expect(try await ones.refresh(force: true) == .successful)
    #expect(service.asked == ["", "", "3", "3"])
    #expect(try await app.parts() == service.parts)
    #expect(try await ones.value(from: .cache).isEmpty)
    service.put([LoggedPart(id: 1, kind: 1), LoggedPart(id: 5)])
    #expect(try await ones.refresh(force: true) == .successful)
    #expect(try await ones.value(from: .cache) == [LoggedPart(id: 1), LoggedPart(id: 5)])
    service.put([LoggedPart(id: 5, kind: 2)])
    #expect(try await ones.refresh(force: true) == .successful)
    #expect(try await ones.value(from: .cache) == [LoggedPart(id: 1)])
    #expect(try await all.refresh(force: true) == .successful)
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `an answer from before newer changes does not take these back`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, Strategy(.init(synchronize: .upsert)))
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    let gate = Gate()
    service.set(gate: gate)
    let find = Task { await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 1]) }
    await gate.arrivals(1)
    service.set(gate: nil)
    service.put([LoggedPart(id: 1, name: "new")])
    service.drop([2])
    #expect(try await cache.refresh(force: true) == .successful)
    gate.open()
    #expect(await find.value.data == [LoggedPart(id: 1), LoggedPart(id: 2)])
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a part of a list, and what is only added or measured, is asked for as ever`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place)
    let caches = [
      app.cache(Criteria().limit(2)), app.cache(Criteria().offset(1)),
      app.cache(removesMissing: false), app.cache(limits: CacheLimits(size: 10_000)),
      app.cache(Criteria().sorted(by: "name")),
    ]
    for cache in caches {
      for _ in 0..<2 { #expect(try await cache.refresh(force: true) == .successful) }
      #expect(try await app.mark(cache) == nil)
    }
    service.set(listsChanges: false)
    #expect(try await app.cache(["kind": 2]).refresh() == .successful)
    #expect(service.asked.isEmpty && service.finds == 11)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a service that gives no mark is asked for everything each time`(
    place: CacheStore.Place
  ) async throws {
    service.set(givesMarks: false)
    let app = try bed.app(place)
    let cache = app.cache()
    for _ in 0..<2 { #expect(try await cache.refresh(force: true) == .successful) }
    #expect(service.asked == ["", ""])
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a find that only adds leaves the mark, and is fetched whole`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(
      place, Strategy(reads: .init(maxAge: .seconds(60)), writes: .init()))
    let cache = app.cache(["kind": 1])
    #expect(try await cache.refresh() == .successful)
    try await cache.invalidate()
    service.put([LoggedPart(id: 7)])
    #expect(
      await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 1]).origin == .remote)
    #expect(try await app.mark(cache) == "3")
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(service.asked == ["", "3"])
    #expect(try await app.parts() == [LoggedPart(id: 1), LoggedPart(id: 2), LoggedPart(id: 7)])
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `the rule's retries ask with the same mark`(place: CacheStore.Place) async throws {
    let app = try bed.app(
      place,
      Strategy(.init(synchronize: .off, retry: .init(attempts: 3, delay: .zero, jitter: 0))))
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    service.fail(times: 2)
    #expect(try await cache.refresh(force: true) == .successful)
    service.fail(times: 3)
    #expect(try await cache.refresh(force: true) == .failed(ChangingService.Outage()))
    #expect(service.asked == [""] + Array(repeating: "3", count: 6))
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `unsent writes lie over changes, which are noted as what the remote has`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, .offlineFirst)
    let cache = app.cache()
    #expect(try await cache.refresh() == .successful)
    for id in 1...3 {
      #expect(await app.evocation.update([LoggedPart(id: id, name: "mine")]).isPending)
    }
    service.put([LoggedPart(id: 1, name: "theirs")])
    service.drop([2])
    #expect(try await cache.refresh(force: true) == .successful)
    #expect(service.asked == ["", "3"])
    #expect(try await app.parts().map(\.name) == ["mine", "mine", "mine"])
    let entries = try await app.evocation.outbox.entries(of: LoggedPart.self)
    #expect(
      entries.map(\.seen) == [LoggedPart(id: 1, name: "theirs"), nil, LoggedPart(id: 3, kind: 2)])
    // What they were made on stays, so that the conflict is found when they are sent.
    #expect(
      entries.map(\.base) == [
        LoggedPart(id: 1, kind: 1), LoggedPart(id: 2, kind: 1), LoggedPart(id: 3, kind: 2),
      ])
  }
}
