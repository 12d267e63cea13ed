import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import EvocationCalls
@testable import EvocationValues
@testable import SQLiteSupport

/// Finds under rules that mirror a service that lists what changed since a mark.
@Suite(.patient) struct ChangesFindTests {
  private let bed: ChangesBed

  init() throws { bed = try ChangesBed() }

  private var service: ChangingService { bed.service }

  @Test(arguments: CacheStore.Place.allCases)
  func `a find under a rule that mirrors asks for what changed, and answers what local then has`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, try ChangesBed.mirroring(fallback: .local))
    for turn in 0..<3 {
      let found = await app.evocation.find(model: LoggedPart.self)
      #expect(found.data == service.parts && found.origin == .remote && found.error == nil)
      #expect(found.synchronizationError == nil)
      #expect(found.metadata[.remote]?["number"] as? Int == [3, 6, 6][turn])
      #expect(try await app.parts() == service.parts)
      if turn > 0 { continue }
      service.put([LoggedPart(id: 2, name: "new"), LoggedPart(id: 4)])
      service.drop([1])
    }
    #expect(service.asked == ["", "3", "6"] && service.finds == 0)
    // Its cache goes on with the same mark.
    #expect(try await app.cache().refresh(force: true) == .successful)
    #expect(service.asked.last == "6")
    let counted = await app.evocation.count(model: LoggedPart.self)
    #expect(counted.data == 3 && service.asked.count == 4)
    let one = await app.evocation.findOne(model: LoggedPart.self, criteria: ["id": 2])
    #expect(one.data == LoggedPart(id: 2, name: "new") && service.asked.count == 4)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a find beside a write that is on its way asks for everything, and waits for none`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, Strategy(reads: .init(synchronize: .mirror), writes: .localOnly))
    _ = await app.evocation.find(model: LoggedPart.self)
    service.put([LoggedPart(id: 4)])
    let ticket = try app.evocation.proxy(for: LoggedPart.self).line.enter()
    #expect(await app.evocation.find(model: LoggedPart.self).data == service.parts)
    try app.evocation.proxy(for: LoggedPart.self).line.leave(ticket)
    #expect(service.asked == ["", "3"] && service.finds == 1)
    #expect(await app.evocation.find(model: LoggedPart.self).data == service.parts)
  }

  @Test func `a find whose changes cannot be saved answers everything, and says what failed`()
    async throws
  {
    let app = try bed.app(.file, try ChangesBed.mirroring())
    _ = await app.evocation.find(model: LoggedPart.self)
    try await app.database?.write { db in
      _ = try db.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON loggedPart BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    service.put([LoggedPart(id: 4)])
    let found = await app.evocation.find(model: LoggedPart.self)
    #expect(found.data == service.parts && found.synchronizationError is SQLiteError)
    #expect(try await app.mark(app.cache()) == "3")
    #expect(service.asked == ["", "3"] && service.finds == 1)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `a failure to list changes is the target's, and the fallback answers`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, try ChangesBed.mirroring(fallback: .local))
    _ = await app.evocation.find(model: LoggedPart.self)
    service.put([LoggedPart(id: 4)])
    service.fail(times: 1)
    let found = await app.evocation.find(model: LoggedPart.self)
    #expect(found.origin == .local && found.data?.count == 3)
    #expect(found.metadata[.remote]?.error is ChangingService.Outage)
    #expect(await app.evocation.find(model: LoggedPart.self).data == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `what a find has a mark for stays when a cache of other criteria is cleared`(
    place: CacheStore.Place
  ) async throws {
    let app = try bed.app(place, Strategy(reads: .init(synchronize: .mirror), writes: .localOnly))
    _ = await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 1])
    let cache = app.cache(["id": 1])
    #expect(try await cache.refresh() == .successful)
    try await cache.clear()
    let found = await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 1])
    #expect(found.data == [LoggedPart(id: 1), LoggedPart(id: 2)])
  }
}
