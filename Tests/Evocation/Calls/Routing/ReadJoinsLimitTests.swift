import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// A rule's timeout is one limit from the call on, whoever asked for it.
@Suite(.patient) struct ReadJoinsLimitTests {
  /// Who reads, which reaches the repository.
  @TaskLocal private static var reader = ""

  private let clock = ManualClock()
  private let asking = Gate()
  private let asked = Gate.Counter()
  private let askers = Lock<[String]>([])
  private let late = EvocationError.timedOut(.remote, model: "Car", after: .seconds(10))

  private func evocation(
    _ rule: Strategy.Rule, local: InMemoryRepository<Car> = .init()
  ) throws -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock))
    let remote = RepositoryMock<Car> { [asking, asked, askers] _ in
      askers.withLock { $0.append(Self.reader) }
      asked.increase()
      try await asking.pass()
      return [Car(id: 1)]
    }
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(try Strategy(rule, for: .find))
    return evocation
  }

  private func read(
    _ name: String, _ evocation: Evocation
  ) -> Task<Evocation.Result<[Car]>, Never> {
    Self.$reader.withValue(name) { Task { await evocation.find(model: Car.self) } }
  }

  private func joined(
    _ count: Int, _ evocation: Evocation, _ action: any ReadAction.Type = Find.self
  ) async throws {
    let proxy = try evocation.proxy(for: Car.self)
    try await eventually("\(count) reads that wait") {
      proxy.joins.waitingCount(ReadJoins.Kind(action, proxy.wiring), Criteria()) >= count
    }
  }

  /// Has a read join another one that is canceled after eight seconds, and returns it when it asks.
  private func outlasting(
    _ evocation: Evocation
  ) async throws -> Task<Evocation.Result<[Car]>, Never> {
    let first = read("first", evocation)
    #expect(await asked.reach(1))
    let second = read("second", evocation)
    try await joined(1, evocation)
    #expect(await clock.sleeps(2))
    clock.advance(by: .seconds(8))
    first.cancel()
    #expect(await first.value.error is CancellationError)
    #expect(await asked.reach(2))
    #expect(await clock.sleeps(3))
    return second
  }

  private static let rules: [Strategy.Rule] = [
    .init(synchronize: .off, timeout: .seconds(10)),
    .init(synchronize: .off, timeout: .seconds(10), retry: .init(attempts: 5)),
  ]

  @Test(arguments: rules)
  func `Who joined a read that is canceled has what is left of its own time`(
    _ rule: Strategy.Rule
  ) async throws {
    let second = try await outlasting(evocation(rule))
    clock.advance(by: .seconds(2))
    #expect(await second.value.error as? EvocationError == late)
  }

  @Test func `An answer in the time that is left is taken`() async throws {
    let second = try await outlasting(evocation(Self.rules[0]))
    clock.advance(by: .seconds(1))
    asking.open()
    #expect(await second.value.data == [Car(id: 1)])
  }

  @Test func `What nobody answers in time is answered by the fallback`() async throws {
    let local = InMemoryRepository([Car(id: 2)])
    let rule = Strategy.Rule(fallback: .local, synchronize: .off, timeout: .seconds(10))
    let second = try await outlasting(evocation(rule, local: local))
    clock.advance(by: .seconds(2))
    let result = await second.value
    #expect(result.data == [Car(id: 2)] && result.origin == .local && result.error == nil)
  }

  @Test func `A late answer is waited for until the end of the second limit, and no longer`()
    async throws
  {
    let rule = Strategy.Rule(fallback: .local, synchronize: .upsert, timeout: .seconds(10))
    let second = try await outlasting(evocation(rule))
    clock.advance(by: .seconds(2))
    // Local has nothing, so it waits for its own request, up to the twentieth second.
    #expect(await clock.sleeps(4))
    clock.advance(by: .seconds(10))
    #expect(await second.value.error as? EvocationError == late)
  }

  @Test func `However many ask in a row and are canceled, the limit stays one`() async throws {
    let evocation = try evocation(Self.rules[0])
    let first = read("first", evocation)
    #expect(await asked.reach(1))
    let (last, next) = (read("last", evocation), read("next", evocation))
    try await joined(2, evocation)
    #expect(await clock.sleeps(3))
    clock.advance(by: .seconds(5))
    first.cancel()
    #expect(await first.value.error is CancellationError)
    // One of both asks, and the other one waits for it.
    #expect(await clock.sleeps(5))
    clock.advance(by: .seconds(4))
    next.cancel()
    _ = await next.value
    if askers.withLock({ $0.last }) == "next" {
      #expect(await asked.reach(3))
      #expect(await clock.sleeps(6))
    }
    clock.advance(by: .seconds(1))
    #expect(await last.value.error as? EvocationError == late)
  }

  @Test(arguments: [true, false])
  func `Counting, and asking whether one exists, have one limit too`(isCount: Bool) async throws {
    let evocation = try evocation(Self.rules[0])
    let call: @Sendable () async -> (any Error)? = {
      isCount
        ? await evocation.count(model: Car.self).error
        : await evocation.exists(model: Car.self).error
    }
    let first = Task { await call() }
    #expect(await asked.reach(1))
    let second = Task { await call() }
    try await joined(1, evocation, isCount ? Count.self : Exists.self)
    #expect(await clock.sleeps(2))
    clock.advance(by: .seconds(8))
    first.cancel()
    #expect(await first.value is CancellationError)
    #expect(await asked.reach(2))
    #expect(await clock.sleeps(3))
    clock.advance(by: .seconds(2))
    #expect(await second.value as? EvocationError == late)
  }
}
