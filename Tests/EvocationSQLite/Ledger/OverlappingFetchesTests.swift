import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationValues
@testable import SQLiteSupport

/// Two fetches at the same time, of which the one that was asked later is newer, whichever comes last.
@Suite(.patient) struct OverlappingFetchesTests {
  private let bed: ChangesBed

  init() throws {
    bed = try ChangesBed()
    service.set(listsChanges: false)
  }

  private var service: ChangingService { bed.service }

  /// Who asks for the whole list.
  enum Asker: CaseIterable, Sendable { case find, cache, list }

  /// Begins to ask for all parts, and holds the answer at a gate.
  private func beginAll(
    _ app: ChangesBed.App, _ asker: Asker
  ) async throws -> (gate: Gate, end: Task<Bool, any Error>) {
    let gate = Gate()
    service.set(gate: gate)
    let end = Task {
      switch asker {
      case .find: return await app.evocation.find(model: LoggedPart.self).error == nil
      case .cache: return try await app.cache().refresh(force: true) == .successful
      case .list:
        let list = app.evocation.pagingCache(
          LoggedPart.self, pageSize: 10, options: .init(automaticallyRefresh: false))
        list.requirements = Criteria()
        return try await list.refresh(force: true) == .successful
      }
    }
    await gate.arrivals(1)
    service.set(gate: nil)
    return (gate, end)
  }

  @Test(
    arguments: CacheStore.Place.allCases,
    Asker.allCases.flatMap { asker in
      [Strategy.Synchronization.upsert, .mirror].map { (asker, $0) }
    })
  func `what was asked for earlier and comes later leaves newer models as they are`(
    place: CacheStore.Place, way: (asker: Asker, synchronization: Strategy.Synchronization)
  ) async throws {
    let app = try bed.app(
      place, Strategy(reads: .init(synchronize: way.synchronization), writes: .init()))
    let all = try await beginAll(app, way.asker)
    service.put([LoggedPart(id: 1, name: "newer"), LoggedPart(id: 4, name: "new")])
    for id in [1, 4] {
      let one = await app.evocation.findOne(model: LoggedPart.self, criteria: ["id": id])
      #expect(one.synchronizationError == nil)
    }
    all.gate.open()
    #expect(try await all.end.value)
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases, Asker.allCases)
  func `what a later answer removed does not come back with an earlier one`(
    place: CacheStore.Place, asker: Asker
  ) async throws {
    let app = try bed.app(place, try ChangesBed.mirroring())
    _ = await app.evocation.find(model: LoggedPart.self)
    let all = try await beginAll(app, asker)
    service.drop([2])
    _ = await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 1])
    #expect(try await app.parts() == service.parts)
    all.gate.open()
    #expect(try await all.end.value)
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases, Asker.allCases)
  func `what was asked for later and comes later replaces what came before`(
    place: CacheStore.Place, asker: Asker
  ) async throws {
    let app = try bed.app(place, try ChangesBed.mirroring())
    let gate = Gate()
    let all = try await beginAll(app, asker)
    service.put([LoggedPart(id: 1, name: "newer")])
    service.set(gate: gate)
    let one = Task { await app.evocation.find(model: LoggedPart.self, criteria: ["kind": 1]) }
    await gate.arrivals(1)
    all.gate.open()
    #expect(try await all.end.value)
    gate.open()
    #expect(await one.value.synchronizationError == nil)
    #expect(try await app.parts() == service.parts)
  }

  @Test(arguments: CacheStore.Place.allCases)
  func `changes that were listed earlier leave a newer answer as it is, whichever comes last`(
    place: CacheStore.Place
  ) async throws {
    service.set(listsChanges: true)
    let app = try bed.app(place, try ChangesBed.mirroring())
    _ = await app.evocation.find(model: LoggedPart.self)
    service.put([LoggedPart(id: 1, name: "old")])
    let (earlier, later) = (Gate(), Gate())
    service.set(gate: earlier)
    let listed = Task { await app.evocation.find(model: LoggedPart.self) }
    await earlier.arrivals(1)
    service.put([LoggedPart(id: 1, name: "newer")])
    service.set(gate: later)
    let one = Task { await app.evocation.findOne(model: LoggedPart.self, criteria: ["id": 1]) }
    await later.arrivals(1)
    earlier.open()
    _ = await listed.value
    later.open()
    #expect(await one.value.data?.name == "newer")
    #expect(try await app.parts() == service.parts)
  }

  @Test func `a cache is as old as its question, and not as its answer`() async throws {
    let clock = ManualClock()
    let ledger = InMemoryFetchLedger()
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    evocation.register(for: LoggedPart.self).repository(remote: service)
      .repository(local: InMemoryRepository<LoggedPart>()).strategy(.remoteFirst)
    let cache = evocation.cache(LoggedPart.self, options: .init(automaticallyRefresh: false))
    cache.requirements = Criteria()
    let (gate, asked) = (Gate(), clock.date)
    service.set(gate: gate)
    let refresh = Task { try await cache.refresh() }
    await gate.arrivals(1)
    clock.advance(by: .seconds(60))
    gate.open()
    #expect(try await refresh.value == .successful)
    let record = try await ledger.record(for: cache.source.tag(for: Criteria()))
    #expect(record?.fetchedAt == asked)
  }
}
