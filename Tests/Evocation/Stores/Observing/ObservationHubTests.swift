import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationStores
@testable import EvocationValues

/// How changes of a repository get to those who observe it.
@Suite(.patient, .serialized) struct ObservationHubTests {
  /// A model of which it is known how often it was coded, by one test at a time.
  private struct Counted: Codable, Identifiable, Sendable {
    static let codings = Lock(0)

    let id: Int
    var year = 0

    func encode(to encoder: any Encoder) throws {
      Self.codings.withLock { $0 += 1 }
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(id, forKey: .id)
      try values.encode(year, forKey: .year)
    }
  }

  /// A repository that has nothing, and whose beginning to tell is the test's.
  private final class Teller: ObservableRepository {
    typealias Model = Counted

    let base = InMemoryRepository<Counted>()
    let begins = Lock<[@Sendable () -> Void]>([])
    let handlers = Lock<[@Sendable (RepositoryChange<Counted>) -> Void]>([])
    let reads = Lock(0)

    func find(_ criteria: Criteria) async throws -> Response<[Counted]> { Response([]) }
    func store(_ models: [Counted]) async throws -> Response<[Counted]> { Response(models) }
    func update(_ models: [Counted]) async throws -> Response<[Counted]> { Response([]) }
    func storeOrUpdate(_ models: [Counted]) async throws -> Response<[Counted]> { Response(models) }
    func remove(_ models: [Counted]) async throws -> Response<[Counted]> { Response([]) }

    func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Counted> {
      reads.withLock { $0 += 1 }
      return RepositorySnapshot([], version: 0)
    }

    func observeChanges(
      _ handler: @escaping @Sendable (RepositoryChange<Counted>) -> Void
    ) -> Evocation.Observation {
      handlers.withLock { $0.append(handler) }
      begins.withLock { $0.popLast() }?()
      return Evocation.Observation {}
    }
  }

  private func hub(
    _ teller: Teller, _ traces: Lock<[Evocation.Trace]>
  ) throws
    -> ObservationHub<Counted>
  {
    ObservationHub(
      teller, try #require(ModelAccess<Counted>.make()),
      onTrace: { trace in traces.withLock { $0.append(trace) } })
  }

  @Test func `Of two that observe first at once one listens, and no commit comes twice`()
    async throws
  {
    let (teller, traces) = (Teller(), Lock<[Evocation.Trace]>([]))
    let hub = try hub(teller, traces)
    let criteria = try Criteria().resolved(against: hub.access.schema)
    let (first, second) = (ObservationHub<Counted>.Events(capacity: 9), hubEvents())
    let held = Lock<ObservationHub<Counted>.Subscription?>(nil)
    teller.begins.withLock { begins in
      begins.append {
        let subscription = hub.subscribe(criteria, second)
        held.withLock { $0 = subscription }
      }
    }
    let subscription = hub.subscribe(criteria, first)
    let handlers = teller.handlers.withLock { $0 }
    #expect(handlers.count == 1)
    for handler in handlers {
      handler(.models(stored: [Counted(id: 1)], updated: [], removed: [], version: 1))
    }
    for events in [first, second] {
      await events.arrival()
      let (new, hasMissed) = events.takeAll()
      #expect(new.count == 1 && !hasMissed)
    }
    #expect(traces.withLock { $0.isEmpty })
    withExtendedLifetime((subscription, held.withLock { $0 })) {}
  }

  @Test func `A large change has those of many observers ask again whom it concerns`() async throws
  {
    let (teller, traces) = (Teller(), Lock<[Evocation.Trace]>([]))
    let hub = try hub(teller, traces)
    let all = (0..<20).map { _ in hubEvents() }
    let subscriptions = try all.enumerated().map { year, events in
      let criteria: Criteria = ["year": .init(year)]
      return hub.subscribe(try criteria.resolved(against: hub.access.schema), events)
    }
    let large = (0..<300).map { Counted(id: $0, year: $0 == 7 ? 3 : 1_000) }
    for handler in teller.handlers.withLock({ $0 }) {
      handler(.models(stored: large, updated: [], removed: [], version: 1))
      handler(.models(stored: [Counted(id: 900, year: 0)], updated: [], removed: [], version: 2))
    }
    await all[3].arrival()
    await all[0].arrival()
    #expect(all.map { $0.takeAll().events.count } == [1, 0, 0, 1] + Array(repeating: 0, count: 16))
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `One who observes while another begins to listen asks when that is done`() async throws
  {
    let (teller, traces) = (Teller(), Lock<[Evocation.Trace]>([]))
    let hub = try hub(teller, traces)
    // The hub is kept beginning on a thread of its own: one that Swift shares may be the last.
    let dam = Dam()
    teller.begins.withLock { $0.append { dam.hold() } }
    let first = Promise<Observer<Counted>?>()
    Thread.detachNewThread {
      first.fulfil(try? Observer(hub, .local, criteria: Criteria()))
    }
    #expect(await dam.arrivals())
    var observer = try Observer(hub, .local, criteria: Criteria())
    let second = Task { _ = await observer.next() }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(teller.reads.withLock { $0 } == 0)
    dam.open()
    await second.value
    #expect(teller.reads.withLock { $0 } == 1)
    withExtendedLifetime(await first.value) {}
  }

  @Test func `A change of very many models is passed on without coding them`() async throws {
    let (teller, traces) = (Teller(), Lock<[Evocation.Trace]>([]))
    let hub = try hub(teller, traces)
    let events = hubEvents()
    let subscription = hub.subscribe(
      try (["year": 1] as Criteria).resolved(against: hub.access.schema), events)
    let before = Counted.codings.withLock { $0 }
    let models = (0..<50_000).map { Counted(id: $0) }
    for handler in teller.handlers.withLock({ $0 }) {
      handler(.models(stored: models, updated: [], removed: [], version: 7))
    }
    await events.arrival()
    guard case .change(let change)? = events.takeAll().events.first else {
      Issue.record("no change")
      return
    }
    #expect(change.version == 7)
    if case .models = change.extent { Issue.record("it is told model by model") }
    #expect(Counted.codings.withLock { $0 } == before)
    withExtendedLifetime(subscription) {}
  }

  private func hubEvents() -> ObservationHub<Counted>.Events {
    ObservationHub<Counted>.Events(capacity: 9)
  }
}
