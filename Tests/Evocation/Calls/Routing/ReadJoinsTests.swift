import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// Equal reads of the remote that are under way at the same time.
@Suite(.patient) struct ReadJoinsTests {
  private let gate = Gate()
  private let remote: RepositoryMock<Car>
  private let evocation = Evocation()

  init() {
    let gate = gate
    remote = RepositoryMock<Car> { _ in
      try await gate.pass()
      return [Car(id: 1)]
    }
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository<Car>()).strategy(.remoteFirst)
  }

  private func read(_ criteria: Criteria = Criteria()) -> Task<Evocation.Result<[Car]>, Never> {
    Task { [evocation] in await evocation.find(model: Car.self, criteria: criteria) }
  }

  /// Waits until so many reads wait for another's result.
  private func joined(_ count: Int, _ criteria: Criteria = Criteria()) async throws {
    let proxy = try evocation.proxy(for: Car.self)
    try await eventually("\(count) reads that wait for another's result") {
      proxy.joins.waitingCount(ReadJoins.Kind(Find.self, proxy.wiring), criteria) >= count
    }
  }

  @Test func `equal reads are one request, and each has its result`() async throws {
    let first = read()
    await gate.arrivals(1)
    let others = (0..<5).map { _ in read() }
    try await joined(5)
    gate.open()
    for task in [first] + others {
      let result = await task.value
      #expect(result.data == [Car(id: 1)])
      #expect(result.origin == .remote)
    }
    #expect(remote.calls.count == 1)
    _ = await read().value
    #expect(remote.calls.count == 2)
  }

  @Test func `other criteria, and other calls, are requests of their own`() async throws {
    let first = read()
    await gate.arrivals(1)
    let other = read(["id": 1])
    async let one = evocation.findOne(model: Car.self)
    async let count = evocation.count(model: Car.self)
    await gate.arrivals(4)
    gate.open()
    _ = await (first.value, other.value, one, count)
    #expect(remote.calls.count == 4)
  }

  @Test func `a write that begins between them keeps them apart`() async throws {
    let first = read()
    await gate.arrivals(1)
    let write = Task { [evocation] in await evocation.storeOne(Car(id: 2)) }
    await gate.arrivals(2)
    let second = read()
    await gate.arrivals(3)
    gate.open()
    _ = await (first.value, write.value, second.value)
    #expect(remote.calls.count == 3)
  }

  @Test func `one that is cancelled concerns nobody else`() async throws {
    let first = read()
    await gate.arrivals(1)
    let (second, third) = (read(), read())
    try await joined(2)
    second.cancel()
    #expect(await second.value.error is CancellationError)
    first.cancel()
    #expect(await first.value.error is CancellationError)
    // The third asks in the place of the first.
    await gate.arrivals(1)
    gate.open()
    #expect(await third.value.data == [Car(id: 1)])
    #expect(remote.calls.count == 2)
  }

  @Test func `a read inside a repository's own read does not wait for itself`() async {
    let evocation = Evocation()
    let isFirst = Lock(true)
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Car> { _ in
        let goesOn = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        return goesOn ? await evocation.find(model: Car.self).data ?? [] : [Car(id: 3)]
      })
    #expect(await evocation.find(model: Car.self).data == [Car(id: 3)])
  }

  @Test func `what local answers is not joined`() async {
    let local = RepositoryMock<Car> { [gate] _ in
      try await gate.pass()
      return [Car(id: 4)]
    }
    evocation.register(for: Car.self).repository(local: local).strategy(.localOnly)
    let reads = [read(), read()]
    await gate.arrivals(2)
    gate.open()
    for read in reads { #expect(await read.value.data == [Car(id: 4)]) }
  }

  @Test func `equal reads under another rule are requests of their own`() async {
    async let own = evocation.find(model: Car.self)
    await gate.arrivals(1)
    async let given = evocation.find(model: Car.self, rule: .remoteOnly)
    await gate.arrivals(2)
    gate.open()
    _ = await (own, given)
    #expect(remote.calls.count == 2)
  }

  @Test func `where a rule does not join, each read is a request`() async {
    let rule = Strategy.Rule(target: .remote, synchronize: .off, joins: false)
    async let first = evocation.find(model: Car.self, rule: rule)
    await gate.arrivals(1)
    async let second = evocation.find(model: Car.self, rule: rule)
    await gate.arrivals(2)
    gate.open()
    _ = await (first, second)
    #expect(remote.calls.count == 2)
  }

  @Test func `a given rule that is the strategy's joins its reads`() async throws {
    async let first = evocation.find(model: Car.self)
    await gate.arrivals(1)
    let rule = try evocation.proxy(for: Car.self).wiring.strategy[.find]
    async let second = evocation.find(model: Car.self, rule: rule)
    try await joined(1)
    gate.open()
    _ = await (first, second)
    #expect(remote.calls.count == 1)
  }
}
