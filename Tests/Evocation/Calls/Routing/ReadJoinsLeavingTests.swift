import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// Reads that had joined another one, and what becomes of them where that one does not answer.
@Suite(.patient) struct ReadJoinsLeavingTests {
  /// Where the read that asks for both is cancelled.
  enum Moment: CaseIterable {
    case askingLedger
    case askingRemote
    case remoteAnswersAllTheSame
    case saving
  }

  private static let rules: [Strategy.Rule] = [
    .cacheFirst(maxAge: .seconds(60)),
    .init(fallback: .local, synchronize: .mirror, timeout: .seconds(9), maxAge: .seconds(60)),
    .init(retry: .init(attempts: 2), maxAge: .seconds(60)),
  ]

  private let clock = ManualClock()
  private let ledger = SlowLedger()
  private let held = InMemoryRepository<Car>()
  private let asking = Gate()
  private let saving = Gate()

  private func evocation(_ rule: Strategy.Rule, isDeaf: Bool = false) throws -> Evocation {
    let evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    let remote = RepositoryMock<Car> { [asking] _ in
      if isDeaf {
        await Task { try? await asking.pass() }.value
      } else {
        try await asking.pass()
      }
      return [Car(id: 1)]
    }
    let local = RepositoryMock<Car> { [held, saving] call in
      switch call {
      case .find(let criteria): return try await held.find(criteria).value
      case .mirror(let models, let criteria):
        try await saving.pass()
        return try await held.mirror(models, for: criteria).value
      case .storeOrUpdate(let models):
        try await saving.pass()
        return try await held.storeOrUpdate(models).value
      default: return []
      }
    }
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(try Strategy(rule, for: .find))
    return evocation
  }

  private func joined(_ count: Int, _ evocation: Evocation) async throws {
    let proxy = try evocation.proxy(for: Car.self)
    try await eventually("\(count) reads that wait for another's result") {
      proxy.joins.waitingCount(ReadJoins.Kind(Find.self, proxy.wiring), Criteria()) >= count
    }
  }

  @Test(arguments: Moment.allCases, rules)
  func `whoever asks and is cancelled takes nothing from the others`(
    _ moment: Moment, _ rule: Strategy.Rule
  ) async throws {
    let evocation = try evocation(rule, isDeaf: moment == .remoteAnswersAllTheSame)
    let gate =
      switch moment {
      case .askingLedger: ledger.gate
      case .askingRemote, .remoteAnswersAllTheSame: asking
      case .saving: saving
      }
    let passed = moment == .saving ? [ledger.gate] : [ledger.gate, asking, saving]
    for other in passed where other !== gate { other.open() }
    let first = Task { await evocation.find(model: Car.self) }
    if moment == .saving { await asking.arrivals(1) } else { await gate.arrivals(1) }
    let others = (1...2).map { _ in Task { await evocation.find(model: Car.self) } }
    try await joined(2, evocation)
    if moment == .saving {
      asking.open()
      await saving.arrivals(1)
    }
    first.cancel()
    // They ask at once, whatever becomes of the first.
    await gate.arrivals(2)
    try await joined(1, evocation)
    gate.open()
    #expect(await first.value.error is CancellationError)
    for other in others {
      let result = await other.value
      #expect(result.data == [Car(id: 1)] && result.origin == .remote)
      #expect(result.error == nil && result.synchronizationError == nil)
    }
    #expect(try await held.find(Criteria()).value == [Car(id: 1)])
    #expect(try await ledger.records(prefix: "").count == 1)
  }

  @Test func `a repository that cancels by itself concerns nobody else`() async throws {
    let (evocation, gate, count) = (Evocation(), Gate(), Lock(0))
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Car> { _ in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        try await gate.pass()
        if isFirst { throw CancellationError() }
        return [Car(id: 1)]
      })
    async let first = evocation.find(model: Car.self)
    await gate.arrivals(1)
    async let second = evocation.find(model: Car.self)
    try await joined(1, evocation)
    gate.open()
    #expect(await first.error is CancellationError)
    #expect(await second.data == [Car(id: 1)])
  }

  @Test func `one that has asked for very long is joined by nobody`() async throws {
    ledger.gate.open()
    let evocation = try evocation(.init(target: .remote, synchronize: .off))
    let old = Task { await evocation.find(model: Car.self) }
    await asking.arrivals(1)
    clock.advance(by: .seconds(30) - .nanoseconds(1))
    let joining = Task { await evocation.find(model: Car.self) }
    try await joined(1, evocation)
    clock.advance(by: .nanoseconds(1))
    let new = Task { await evocation.find(model: Car.self) }
    await asking.arrivals(2)
    asking.open()
    for read in [old, joining, new] { #expect(await read.value.data == [Car(id: 1)]) }
  }

  @Test func `one that does not end is left by whoever joined when its own would have been`()
    async throws
  {
    ledger.gate.open()
    _ = try await held.storeOrUpdate([Car(id: 2)])
    let evocation = try evocation(.init(fallback: .local, timeout: .seconds(5)))
    let first = Task { await evocation.find(model: Car.self) }
    await asking.arrivals(1)
    let second = Task { await evocation.find(model: Car.self) }
    try await joined(1, evocation)
    await clock.sleeps(2)
    asking.open()
    await saving.arrivals(1)
    clock.advance(by: .seconds(10))
    let left = await second.value
    #expect(left.data == [Car(id: 2)] && left.origin == .local && left.error == nil)
    let reason = left.metadata[.remote]?.error as? EvocationError
    #expect(reason == .timedOut(.remote, model: "Car", after: .seconds(5)))
    saving.open()
    #expect(await first.value.data == [Car(id: 1)])
  }
}
