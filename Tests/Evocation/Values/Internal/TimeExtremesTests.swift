import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// Rules and caches whose times are as large, or as odd, as their types allow.
@Suite(.patient) struct TimeExtremesTests {
  private static let long: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.max) * 18, .longest, .tooLongToSleep,
  ]
  private static let durations =
    long + [
      .zero, .seconds(-1), .seconds(Int64.min), .seconds(Int64.min) * 18, .nanoseconds(1),
    ]
  /// New ones, because a manual clock counts its sleeps.
  private static var clocks: [any Clock<Duration>] {
    [ContinuousClock(), SuspendingClock(), ManualClock()]
  }

  @Test func `a hundred attempts pause for the longest pause from some time on`() {
    let retry = Strategy.Retry(attempts: .max)
    for failures in [1, 2, 69, 70, 71, 99, 1_000, Int.max - 1] {
      for chance in [0, 0.5, 1] {
        let pause = retry.pause(after: failures, Outage(place: .remote), chance: chance)
        let whole = failures == 1 ? 0.5 : failures == 2 ? 1 : 30
        #expect(pause == .seconds(whole * (1 - 0.5 * chance)))
      }
    }
  }

  @Test func `any retry that passes as valid gives pauses from nothing to its longest`() throws {
    for delay in Self.durations where delay >= .zero {
      for longest in Self.durations where longest >= .zero {
        for multiplier in [1, 2, 1e30, .greatestFiniteMagnitude] {
          let retry = Strategy.Retry(
            attempts: .max, delay: delay, multiplier: multiplier, maximumDelay: longest)
          for failures in [1, 2, 70, Int.max - 1] {
            for chance in [0, 1, -1e300, 1e300, .nan, .infinity] {
              let pause = retry.pause(after: failures, Outage(place: .remote), chance: chance)
              #expect(try #require(pause) >= .zero)
            }
            let pause = retry.pause(after: failures, Outage(place: .remote), chance: 0)
            #expect(try #require(pause) <= longest)
          }
        }
      }
    }
  }

  @Test func `a multiplier of 1e30 in a file is as good as its longest delay`() async throws {
    let json = #"{"attempts":90,"delay":0,"multiplier":1e30,"maximumDelay":0}"#
    let retry = try JSONDecoder().decode(Strategy.Retry.self, from: Data(json.utf8))
    let evocation = Evocation()
    let remote = RepositoryMock<Car> { _ in throw Outage(place: .remote) }
    evocation.register(for: Car.self).repository(remote: remote)
      .strategy(Strategy(.init(synchronize: .off, retry: retry)))
    #expect(await evocation.find(model: Car.self).error is Outage)
    #expect(remote.calls.count == 90)
  }

  @Test func `an infinite multiplier does not work, and says so`() throws {
    var rules: [Strategy.Action: Strategy.Rule] = [:]
    for action in Strategy.Action.allCases { rules[action] = .remoteOnly }
    rules[.find] = .init(retry: .init(attempts: 2, multiplier: .infinity))
    let error = #expect(throws: StrategyError.self) { try Strategy(rules: rules) }
    #expect(
      error?.description
        == "The rule for find is not valid: its retry has an infinite multiplier.")
  }

  @Test func `times of a file that are too long are the longest, and come back`() throws {
    for text in ["1e300", "9.3e18", "9223372036854775807"] {
      let json = #"{"timeout":\#(text),"maxAge":\#(text)}"#
      let rule = try JSONDecoder().decode(Strategy.Rule.self, from: Data(json.utf8))
      #expect(rule.timeout == .longest && rule.maxAge == .longest)
      let copy = try JSONDecoder().decode(Strategy.Rule.self, from: JSONEncoder().encode(rule))
      #expect(copy == rule)
    }
  }

  /// Lets the time of the first sleep pass, where a clock has to be told.
  private static func pass(_ time: Duration, by clock: any Clock<Duration>) async {
    guard let clock = clock as? ManualClock else { return }
    await clock.sleeps(1)
    clock.advance(by: time)
  }

  @Test func `a timeout that is too long never comes, by any clock`() async {
    for timeout in Self.long {
      for clock in Self.clocks {
        let evocation = Evocation(configuration: .init(clock: clock))
        let gate = Gate()
        let remote = RepositoryMock<Car> { _ in
          try await gate.pass()
          return [Car(id: 1)]
        }
        evocation.register(for: Car.self).repository(remote: remote)
          .strategy(Strategy(.init(synchronize: .off, timeout: timeout)))
        let call = Task { await evocation.find(model: Car.self) }
        await gate.arrivals(1)
        // A timeout that does come, by the same clock, comes before the one that does not.
        async let late = evocation.find(
          model: Car.self, criteria: ["id": 2],
          rule: .init(synchronize: .off, timeout: .milliseconds(1)))
        await Self.pass(.milliseconds(1), by: clock)
        #expect(await late.error as? EvocationError != nil)
        gate.open()
        #expect(await call.value.data == [Car(id: 1)])
      }
    }
  }

  @Test func `a pause that is too long ends when the call is cancelled, and not before`() async {
    for clock in Self.clocks {
      let evocation = Evocation(configuration: .init(clock: clock, chance: { 0 }))
      let failed = Gate.Counter()
      let remote = RepositoryMock<Car> { _ in
        failed.increase()
        throw Outage(place: .remote)
      }
      let retry = Strategy.Retry(
        attempts: 9, delay: .seconds(Int64.max), maximumDelay: .seconds(Int64.max) * 18)
      evocation.register(for: Car.self).repository(remote: remote)
        .strategy(Strategy(.init(synchronize: .off, retry: retry)))
      let call = Task { await evocation.find(model: Car.self) }
      await failed.reach(1)
      // A pause that does end, by the same clock, ends before the one that does not.
      let short = Strategy.Retry(attempts: 2, delay: .milliseconds(1))
      async let other = evocation.find(
        model: Car.self, criteria: ["id": 2], rule: .init(synchronize: .off, retry: short))
      await Self.pass(.milliseconds(1), by: clock)
      #expect(await other.error is Outage)
      #expect(remote.calls.count == 3)
      call.cancel()
      #expect(await call.value.error is CancellationError)
    }
  }

  @Test func `any maximum age of a rule is heeded, however far the clock goes`() async throws {
    for age in Self.durations where age >= .zero {
      let clock = ManualClock()
      let evocation = Evocation(configuration: .init(clock: clock))
      let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
      evocation.register(for: Car.self).repository(remote: remote)
        .repository(local: InMemoryRepository<Car>())
        .strategy(.cacheFirst(maxAge: age))
      #expect(await evocation.find(model: Car.self).origin == .remote)
      #expect(await evocation.find(model: Car.self).origin == .local)
      clock.advance(by: .seconds(Int64.max))
      let isLong = age >= .longest
      #expect(await evocation.find(model: Car.self).origin == (isLong ? .local : .remote))
    }
  }

  @Test func `caches of any ages are observed, read and let go of`() async throws {
    for age in Self.durations {
      for usable in Self.durations {
        let clock = ManualClock()
        let evocation = Evocation(configuration: .init(clock: clock))
        evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
          .repository(remote: RepositoryMock { _ in [Car(id: 1)] })
        let cars = evocation.cache(
          Car.self, maxAge: age, options: .init(maxUsableAge: usable, limits: CacheLimits(age: age))
        )
        cars.requirements = Criteria()
        #expect(try await cars.value() == [Car(id: 1)])
        var watch = Watch(cars.observe())
        #expect(await watch.state() != nil)
        clock.advance(by: age)
        clock.advance(by: .seconds(Int64.max))
        await cars.validate()
        _ = try await cars.refresh(force: true)
        try await cars.clear()
      }
    }
  }

  @Test func `a ledger's dates may be anything`() async throws {
    for date in DurationBoundsTests.dates {
      for used in DurationBoundsTests.dates {
        let (clock, ledger) = (ManualClock(), InMemoryFetchLedger())
        try await ledger.write(FetchRecord(fetchedAt: date, usedAt: used), for: "words")
        let source = FakeSource(
          maxAge: .seconds(60), limits: CacheLimits(age: .seconds(60)), words: ["a"])
        let words = CacheRepository(source, ledger: ledger, clock: clock)
        words.requirements = "words"
        var watch = Watch(words.observe())
        #expect(await watch.state() != nil)
        #expect(try await words.value() == ["a"] || source.fetches > 0)
        #expect(try await words.refresh(force: true) == .successful)
        #expect(try await words.refresh() == .skipped(.cacheNotTooOld))
      }
    }
  }

  @Test func `a delay that is too long ends when it is cancelled, and one below nothing at once`()
    async throws
  {
    let cars = InMemoryRepository([Car(id: 1)])
    let always = FaultOccasion.first(1, ofEvery: 1)
    let slow = FaultyRepository(
      cars, FaultSchedule(.isDelayed(by: .seconds(Int64.max)), on: always))
    let call = Task { try await slow.find(Criteria()) }
    try await eventually("the call of the repository") { slow.callsCount > 0 }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    let quick = FaultyRepository(cars, FaultSchedule(.isDelayed(by: .seconds(-1)), on: always))
    #expect(try await quick.find(Criteria()).value.count == 1)
  }

  @Test func `durations of any length have a sentence`() {
    let error = CacheError.cacheTooOld(tag: "", age: .seconds(Int64.max) * 18)
    #expect(error.description.contains("is too old, 9.223372036854776e+18 s; "))
    for duration in Self.durations {
      let step = Evocation.Trace.Step(
        repository: .remote, role: .target, outcome: .cancelled, duration: duration)
      #expect(step.description.hasPrefix("remote was canceled"))
      let late = EvocationError.timedOut(.remote, model: "Car", after: duration)
      #expect(late.description.contains(" seconds; try again"))
    }
  }
}
