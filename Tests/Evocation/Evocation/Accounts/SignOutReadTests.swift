import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationValues

/// Reads that were asked for before somebody signed out, wherever they wait.
@Suite(.patient) struct SignOutReadTests {
  private static let rules: [Strategy.Rule] = [
    .remoteFirst, .localFirst, .remoteOnly, .localOnly, .cacheFirst(maxAge: .seconds(60)),
    .staleWhileRevalidate(maxAge: .seconds(60)), Strategy.offlineFirst[.find],
    Strategy.localFirst[.find], .init(fallback: .local, synchronize: .mirror, timeout: .seconds(9)),
    .init(joins: .off),
  ]

  private let clock = ManualClock()
  private let ledger = SlowLedger()
  private let local = InMemoryRepository<Car>()
  private let gate = Gate()
  private let remote: RepositoryMock<Car>
  private let evocation: Evocation

  init() {
    let gate = gate
    remote = RepositoryMock<Car> { _ in
      // It does not heed cancellation.
      await Task { try? await gate.pass() }.value
      return [Car(id: 1)]
    }
    evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(.cacheFirst(maxAge: .seconds(60)))
  }

  private func read(_ rule: Strategy.Rule) -> Task<Evocation.Result<[Car]>, Never> {
    Task { [evocation] in await evocation.find(model: Car.self, rule: rule) }
  }

  private func expectNothingKept() async throws {
    #expect(try await local.find(Criteria()).value == [])
    #expect(try await ledger.records(prefix: "").isEmpty)
  }

  @Test(arguments: rules)
  func `two equal reads that wait for the service save nothing after it`(
    _ rule: Strategy.Rule
  )
    async throws
  {
    ledger.gate.open()
    let reads = [read(rule), read(rule)]
    let asks = rule.target == .remote || rule.fallsBack == .onErrorOrEmpty
    if asks { await gate.arrivals(1) }
    if rule.target == .remote, rule.joins == .on {
      let proxy = try evocation.proxy(for: Car.self)
      let isOwn = rule != proxy.wiring.strategy[.find]
      let kind = ReadJoins.Kind(Find.self, proxy.wiring, rule: isOwn ? GivenRule(rule) : nil)
      try await eventually("a read that joins another") {
        proxy.joins.waitingCount(kind, Criteria()) == 1
      }
    } else if asks {
      await gate.arrivals(2)
    }
    try await evocation.signOut(.discard)
    let asked = remote.calls.count
    gate.open()
    for read in reads {
      let result = await read.value
      if asks { #expect(result.error as? EvocationError == .signedOut(model: "Car")) }
    }
    #expect(remote.calls.count == asked)
    try await expectNothingKept()
    let next = await evocation.find(model: Car.self)
    #expect(next.origin == .remote && next.data == [Car(id: 1)])
  }

  @Test func `one that waits for the ledger asks nothing after it`() async throws {
    let waiting = read(.cacheFirst(maxAge: .seconds(60)))
    await ledger.gate.arrivals(1)
    try await evocation.signOut(.discard)
    gate.open()
    ledger.gate.open()
    #expect(await waiting.value.error as? EvocationError == .signedOut(model: "Car"))
    #expect(remote.calls.isEmpty)
    try await expectNothingKept()
  }

  @Test func `one that was made and has not begun asks nothing after it`() async throws {
    ledger.gate.open()
    gate.open()
    let (rule, proxy) = (Strategy.Rule.remoteFirst, try evocation.proxy(for: Car.self))
    let call = Call<Car>(.read(Find.self, Criteria()), proxy)
    let admission = call.admit(rule, isGiven: true)
    try await evocation.signOut(.discard)
    let result = await call.run(admission, rule, isGiven: true)
    #expect(result.error as? EvocationError == .signedOut(model: "Car"))
    #expect(remote.calls.isEmpty)
    try await expectNothingKept()
  }

  @Test func `one of the next user joins none of the last one`() async throws {
    ledger.gate.open()
    let proxy = try evocation.proxy(for: Car.self)
    let kind = ReadJoins.Kind(Find.self, proxy.wiring)
    let joins = ReadJoins()
    let (first, second) = (Session(), Session())
    guard
      case .asks = joins.begin(kind, Criteria(), by: .init(in: first, at: .zero)),
      case .asks = joins.begin(kind, Criteria(), by: .init(in: second, at: .zero)),
      case .takes = joins.begin(kind, Criteria(), by: .init(in: first, at: .zero))
    else {
      Issue.record("reads of two users were one request")
      return
    }
  }
}
