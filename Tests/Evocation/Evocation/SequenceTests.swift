import Evocation
import EvocationInspection
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// Every sequence may be iterated by two tasks, of which each gets everything.
@Suite(.patient) struct SequenceTests {
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Car.self)
      .repository(
        remote: RepositoryMock { call in
          if case .storeOne(let car) = call { return [car] }
          return []
        }
      )
      .repository(local: InMemoryRepository<Car>()).strategy(.offlineFirst)
  }

  /// Has two tasks iterate one value until its last element, with a change between all elements.
  ///
  /// Each change is made when both have what the one before it led to.
  private func bothGetAll<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, _ changes: [@Sendable () async -> Void],
    begun: (Int) async throws -> Void = { _ in },
    where isWanted: @escaping @Sendable (Elements.Element) -> Int?
  ) async throws {
    let seen = [Lock<[Int]>([]), Lock<[Int]>([])]
    let readers = seen.map { seen in
      Task {
        for try await element in elements {
          if let number = isWanted(element) { seen.withLock { $0.append(number) } }
        }
      }
    }
    try await begun(2)
    for (number, change) in changes.enumerated() {
      await change()
      try await eventually("both readers to get change \(number)") {
        seen.allSatisfy { $0.withLock { $0.contains(number) } }
      }
    }
    for reader in readers { reader.cancel() }
    for reader in readers { _ = await reader.result }
  }

  /// Stores one car after another.
  private func stores(from first: Int = 0) -> [@Sendable () async -> Void] {
    (first..<first + 10).map { id in { [evocation] in _ = await evocation.storeOne(Car(id: id)) } }
  }

  @Test func `Models`() async throws {
    try await bothGetAll(evocation.observe(Car.self), stores()) { ($0.data?.count ?? 0) - 1 }
    try await bothGetAll(evocation.observe(Car.self, id: 3), [{}]) { $0.data == nil ? nil : 0 }
  }

  @Test func `A cache and a list, also converted and combined`() async throws {
    let cars = evocation.cache(Car.self, options: .init(automaticallyRefresh: false))
    try await cars.update([])
    let changes: [@Sendable () async -> Void] = (1...10).map { count in
      { try? await cars.update((0..<count).map { Car(id: $0) }) }
    }
    let last: @Sendable (CacheState<[Car]>) -> Int? = { $0.cache.map { $0.count - 1 } }
    try await bothGetAll(cars.observe(), changes, where: last)
    try await bothGetAll(cars.observe().convert { $0?.count }, changes) { $0.cache.map { $0 - 1 } }
    try await bothGetAll(cars.observe().combine(cars.observe()) { $0 + $1 }, [changes[3]]) {
      $0.cache?.count == 8 ? 0 : nil
    }
    let list = evocation.pagingCache(Car.self, pageSize: 5)
    try await bothGetAll(list.observe(), [{ try? await list.update([Car(id: 1)]) }]) {
      $0.cache?.cache.count == 1 ? 0 : nil
    }
  }

  @Test func `The outbox: its status, what happens, and what differs`() async throws {
    let outbox = evocation.outbox
    try await bothGetAll(outbox.observe(), stores()) { $0.pending - 1 }
    _ = await outbox.flush()
    try await bothGetAll(outbox.syncStates(of: Car.self), stores(from: 10)) { $0.count - 1 }
    _ = await outbox.flush()
    let count = Lock(0)
    try await bothGetAll(
      outbox.events(), stores(from: 20),
      begun: { readers in
        try await eventually("both to listen") { outbox.listeners.listenerCount == readers }
      }
    ) {
      guard case .queued(let subject) = $0 else { return nil }
      count.withLock { $0 += 1 }
      return Int(subject.modelID).map { $0 - 20 }
    }
    #expect(count.withLock { $0 } == 20)
  }

  @Test func `Mocks of caches`() async throws {
    let mock = CacheRepositoryMock<ProxyCacheDataSource<Car>>()
    let changes: [@Sendable () async -> Void] = (1...3).map { count in
      {
        mock.send(
          CacheState(
            .cache((0..<count).map { Car(id: $0) }, fetchedAt: Date(timeIntervalSince1970: 0))))
      }
    }
    try await bothGetAll(mock.observe(), changes, begun: { await mock.observations($0) }) {
      $0.cache.map { $0.count - 1 }
    }
  }

  @Test func `What an app's own SQL answers, and the models of a file`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let cars = try SQLiteRepository<Car>(database)
    let changes: [@Sendable () async -> Void] = (0..<10).map { id in
      { _ = try? await cars.storeOne(Car(id: id)) }
    }
    let counts = database.observe([Car.self]) { try $0.rows("SELECT id FROM car").count }
    try await bothGetAll(counts, changes) { $0 - 1 }
    try await bothGetAll(cars.stream(Criteria()), Array(repeating: {}, count: 10)) { $0.id }
    await database.close()
  }

  @Test func `Inspections`() async throws {
    let inspections = evocation.inspections(every: .milliseconds(1))
    try await bothGetAll(inspections, stores()) { ($0.models.first?.count ?? 0) - 1 }
  }

  @Test func `Each stream of a connection and an activity has all changes`() async throws {
    let (line, activity) = (ManualConnectivity(), ManualActivity())
    let streams = [line.changes(), line.changes(), activity.changes(), activity.changes()]
    line.goOffline()
    activity.becomeActive()
    line.goOnline()
    activity.resignActive()
    for (number, stream) in streams.enumerated() {
      var changes = stream.makeAsyncIterator()
      #expect(await changes.next() == (number > 1))
      #expect(await changes.next() == (number < 2))
    }
    // A stream hands each change to one of those who share it, and wakes all of them in turn.
    let readers = (0..<2).map { _ in
      Task { [stream = streams[0]] in await stream.first { _ in true } }
    }
    line.goOffline()
    line.goOnline()
    var all: Set<Bool?> = []
    for reader in readers { all.insert(await reader.value) }
    #expect(all == [true, false])
  }

  @Test func `What nothing else keeps can be observed`() async throws {
    func show(_ state: CacheState<[Car]>) { #expect(state.tag != nil) }
    _ = await evocation.storeOne(Car(id: 1))
    for await state in evocation.cache(Car.self).observe() {
      show(state)
      break
    }
    let tag = "\(try evocation.proxy(for: Car.self).tagPrefix)\(Criteria().tag)"
    for await state in evocation.pagingCache(Car.self, pageSize: 5).observe() {
      #expect(state.tag?.isEmpty == false)
      break
    }
    let shown = Gate.Counter()
    let observation = evocation.cache(Car.self).observe { _ in shown.increase() }
    #expect(await shown.reach(1))
    observation.cancel()
    // Nothing of them is left.
    try await eventually("the caches to go") {
      CacheRegistry.of(evocation.environment.ledger).entries(tag).isEmpty
    }
  }
}
