import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// What a service answers to a read after the rule's timeout.
@Suite(.patient) struct LateAnswerTests {
  private let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()
  private let gate = Gate()
  private let cancelled = Gate.Counter()
  private let traces = Gate.Counter()
  private let remote: RepositoryMock<Car>

  private static let rule = Strategy.Rule(fallback: .local, timeout: .seconds(5))

  init() {
    let (gate, cancelled) = (gate, cancelled)
    remote = RepositoryMock<Car> { _ in
      do { try await gate.pass() } catch {
        cancelled.increase()
        throw error
      }
      return [Car(id: 1)]
    }
  }

  private func evocation(
    _ local: some Repository<Car>, _ rule: Strategy.Rule = rule,
    _ remote: RepositoryMock<Car>? = nil
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, onTrace: { [traces] _ in traces.increase() }, chance: { 0 }, ledger: ledger))
    evocation.register(for: Car.self).repository(remote: remote ?? self.remote)
      .repository(local: local).strategy(Strategy(rule))
    return evocation
  }

  /// Reads, and lets the time of the rule's timeout pass while the service is asked.
  private func late(_ evocation: Evocation) async -> Task<Evocation.Result<[Car]>, Never> {
    let read = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    await clock.sleeps(1)
    clock.advance(by: .seconds(5))
    return read
  }

  @Test func `it is saved, dated and shown behind the fallback's answer`() async throws {
    let local = InMemoryRepository([Car(id: 2)])
    let evocation = evocation(local)
    let read = await late(evocation)
    let result = await read.value
    #expect(result.data == [Car(id: 2)] && result.didFallBack)
    #expect(try await ledger.records(prefix: "").isEmpty)
    var observed = evocation.observe(model: Car.self).makeAsyncIterator()
    _ = await observed.next()
    gate.open()
    await traces.reach(2)
    #expect(try await local.find(Criteria()).value == [Car(id: 1), Car(id: 2)])
    #expect(try await ledger.records(prefix: "").count == 1)
    let shown = await observed.next()
    #expect(shown?.data?.contains(Car(id: 1)) == true)
  }

  @Test func `where the rule saves nothing, the service is cancelled`() async throws {
    let local = InMemoryRepository([Car(id: 2)])
    var rule = Self.rule
    rule.synchronize = .off
    let evocation = evocation(local, rule)
    _ = await late(evocation).value
    await cancelled.reach(1)
    #expect(try await local.find(Criteria()).value == [Car(id: 2)])
  }

  @Test func `where local has nothing, the call waits for it`() async throws {
    let local = InMemoryRepository<Car>()
    let evocation = evocation(local)
    let read = await late(evocation)
    await clock.sleeps(2)
    clock.advance(by: .seconds(1))
    gate.open()
    let result = await read.value
    #expect(result.data == [Car(id: 1)] && result.origin == .remote && result.error == nil)
    #expect(try await local.find(Criteria()).value == [Car(id: 1)])
    #expect(
      "\(result.trace)"
        == "find Car: remote failed in 5 s: The remote repository of Car did not answer within 5.0 "
        + "seconds; try again, or raise the timeout of the rule. local, the fallback, returned "
        + "nothing. remote returned 1 model in 6 s. local was synced with 1 model."
    )
  }

  @Test func `the call waits for it for as long again, and it is saved all the same`() async throws
  {
    let local = InMemoryRepository<Car>()
    let evocation = evocation(local)
    let read = await late(evocation)
    await clock.sleeps(2)
    clock.advance(by: .seconds(5))
    let result = await read.value
    let late = EvocationError.timedOut(.remote, model: "Car", after: .seconds(5))
    #expect(result.data == nil && result.error as? EvocationError == late)
    gate.open()
    await traces.reach(2)
    #expect(try await local.find(Criteria()).value == [Car(id: 1)])
  }

  @Test func `where the service fails late and local has nothing, the call fails`() async throws {
    let failing = RepositoryMock<Car> { [gate] _ in
      try await gate.pass()
      throw Outage(place: .remote)
    }
    var rule = Self.rule
    rule.retry = .init(attempts: 3, delay: .zero)
    let evocation = evocation(InMemoryRepository<Car>(), rule, failing)
    let read = await late(evocation)
    await clock.sleeps(2)
    gate.open()
    let result = await read.value
    let late = EvocationError.timedOut(.remote, model: "Car", after: .seconds(5))
    #expect(result.data == nil && result.error as? EvocationError == late)
    #expect(failing.calls.count == 1)
  }

  @Test func `a caller who cancels meanwhile cancels the service`() async throws {
    let local = InMemoryRepository<Car>()
    let evocation = evocation(local)
    let read = await late(evocation)
    await clock.sleeps(2)
    read.cancel()
    let result = await read.value
    #expect(result.error is CancellationError && result.data == nil)
    await cancelled.reach(1)
    #expect(try await local.find(Criteria()).value == [])
  }

  @Test func `a sign-out meanwhile keeps it out of local and ledger`() async throws {
    let local = InMemoryRepository([Car(id: 2)])
    let evocation = evocation(local)
    _ = await late(evocation).value
    try await evocation.signOut(.discard)
    gate.open()
    await traces.reach(2)
    #expect(try await local.find(Criteria()).value == [])
    #expect(try await ledger.records(prefix: "").isEmpty)
  }

  @Test func `it is waited for a minute behind the answer, and then cancelled`() async throws {
    let evocation = evocation(InMemoryRepository([Car(id: 2)]))
    _ = await late(evocation).value
    await clock.sleeps(2)
    clock.advance(by: .seconds(60))
    await cancelled.reach(1)
  }

  @Test func `of several late answers to equal reads one is waited for`() async throws {
    let evocation = evocation(InMemoryRepository([Car(id: 2)]))
    _ = await late(evocation).value
    await clock.sleeps(2)
    let second = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(2)
    await clock.sleeps(3)
    clock.advance(by: .seconds(5))
    _ = await second.value
    await cancelled.reach(1)
    gate.open()
    await traces.reach(3)
  }
}
