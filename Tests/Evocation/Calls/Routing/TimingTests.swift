import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct TimingTests {
  private let clock = ManualClock()

  private func evocation(
    _ rule: Strategy.Rule,
    remote: RepositoryMock<Car>,
    local: RepositoryMock<Car> = RepositoryMock { _ in [Car(id: 2)] },
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) -> Evocation {
    let evocation = Evocation(
      configuration: .init(clock: clock, onTrace: onTrace, chance: { 0 })
    )
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(Strategy(rule))
    return evocation
  }

  @Test func `a target that is too slow loses to its fallback and is cancelled`() async {
    let gate = Gate()
    let cancelled = Gate.Counter()
    let remote = RepositoryMock<Car> { _ in
      do { try await gate.pass() } catch { cancelled.increase() }
      return [Car(id: 1)]
    }
    let evocation = evocation(
      .init(fallback: .local, synchronize: .off, timeout: .seconds(1)), remote: remote)
    let call = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    await clock.sleeps(1)
    clock.advance(by: .seconds(1))
    let result = await call.value
    await cancelled.reach(1)
    #expect(result.data == [Car(id: 2)])
    #expect(result.origin == .local)
    #expect(result.didFallBack)
    #expect(
      result.metadata[.remote]?.error as? EvocationError
        == .timedOut(.remote, model: "Car", after: .seconds(1))
    )
  }

  @Test func `a target in time is not disturbed by its timeout`() async {
    let evocation = evocation(
      .init(fallback: .local, timeout: .seconds(1)), remote: RepositoryMock { _ in [Car(id: 1)] }
    )
    #expect(await evocation.find(model: Car.self).origin == .remote)
  }

  @Test func `a call with a timeout ends when it is cancelled, whatever its repository does`() async
  {
    let asked = Gate.Counter()
    let answer = Promise<Void>()
    let ended = Signal()
    let remote = RepositoryMock<Car> { _ in
      asked.increase()
      await answer.value
      return [Car(id: 1)]
    }
    let evocation = evocation(.init(fallback: .local, timeout: .seconds(1)), remote: remote)
    let call = Task {
      defer { ended.give() }
      return await evocation.find(model: Car.self)
    }
    await asked.reach(1)
    call.cancel()
    #expect(await ended.comes())
    answer.fulfil(())
    let result = await call.value
    #expect(result.error is CancellationError)
    #expect(!result.didFallBack && result.data == nil)
  }

  @Test func `a failed target is asked again after growing pauses`() async {
    let failures = Lock(2)
    let remote = RepositoryMock<Car> { _ in
      let fails = failures.withLock { count in
        count -= 1
        return count >= 0
      }
      if fails { throw Outage(place: .remote) }
      return [Car(id: 1)]
    }
    let rule = Strategy.Rule(retry: .init(attempts: 3, delay: .seconds(1), multiplier: 10))
    let evocation = evocation(rule, remote: remote)
    let call = Task { await evocation.find(model: Car.self) }
    await clock.sleeps(1)
    clock.advance(by: .seconds(1))
    await clock.sleeps(2)
    clock.advance(by: .seconds(10))
    let result = await call.value
    #expect(result.data == [Car(id: 1)])
    #expect(result.metadata[.remote]?.attempts == 3)
    #expect(result.metadata[.remote]?.duration == .seconds(11))
    #expect(
      "\(result.trace)"
        == "find Car: remote returned 1 model after 3 attempts in 11 s. local was synced with "
        + "1 model."
    )
  }

  @Test func `all attempts at one write have one idempotency key, and the next write another`()
    async
  {
    let keys = Lock<[String?]>([])
    let remote = RepositoryMock<Car> { _ in
      let count = keys.withLock { keys in
        keys.append(IdempotencyKey.current)
        return keys.count
      }
      if count == 1 { throw Outage(place: .remote) }
      return []
    }
    let evocation = evocation(
      .init(synchronize: .off, retry: .init(attempts: 2, delay: .zero)), remote: remote
    )
    _ = await evocation.storeOne(Car(id: 1))
    _ = await evocation.storeOne(Car(id: 1))
    let seen = keys.withLock { $0 }
    #expect(seen.count == 3 && seen[0] != nil)
    #expect(seen[0] == seen[1] && seen[1] != seen[2])
  }

  @Test func `the timeout counts the attempts and the pauses between them`() async {
    let remote = RepositoryMock<Car> { _ in throw Outage(place: .remote) }
    let rule = Strategy.Rule(
      timeout: .seconds(5), retry: .init(attempts: 9, delay: .seconds(4), multiplier: 1)
    )
    let evocation = evocation(rule, remote: remote)
    let call = Task { await evocation.find(model: Car.self) }
    await clock.sleeps(2)
    clock.advance(by: .seconds(4))
    await clock.sleeps(3)
    clock.advance(by: .seconds(1))
    #expect(
      await call.value.error as? EvocationError
        == .timedOut(.remote, model: "Car", after: .seconds(5))
    )
    #expect(remote.calls.count == 2)
  }

  @Test func `a call that is cancelled between attempts makes no other`() async {
    let remote = RepositoryMock<Car> { _ in throw Outage(place: .remote) }
    let evocation = evocation(
      .init(fallback: .local, retry: .init(attempts: 5, delay: .seconds(1))), remote: remote
    )
    let call = Task { await evocation.find(model: Car.self) }
    await clock.sleeps(1)
    call.cancel()
    #expect(await call.value.error is CancellationError)
    #expect(remote.calls.count == 1)
  }

  @Test func `local answers a read while what was fetched is young enough`() async {
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = evocation(.cacheFirst(maxAge: .seconds(60)), remote: remote)
    #expect(await evocation.find(model: Car.self).origin == .remote)
    clock.advance(by: .seconds(60))
    let cached = await evocation.find(model: Car.self)
    #expect(cached.origin == .local)
    #expect(cached.metadata[.local]?.role == .cache)
    #expect(await evocation.find(model: Car.self, criteria: ["id": 1]).origin == .remote)
    clock.advance(by: .milliseconds(1))
    #expect(await evocation.find(model: Car.self).origin == .remote)
    #expect(remote.calls.count == 3)
  }

  @Test func `what failed to reach local does not count as fetched`() async {
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let local = RepositoryMock<Car> { _ in throw Outage(place: .local) }
    let evocation = evocation(
      .cacheFirst(maxAge: .seconds(60)), remote: remote, local: local
    )
    #expect(await evocation.find(model: Car.self).synchronizationError is Outage)
    #expect(await evocation.find(model: Car.self).origin == .remote)
  }

  @Test func `a stale answer is given at once, and one fetch goes on behind all of them`()
    async throws
  {
    let gate = Gate()
    let traces = Gate.Counter()
    let remote = RepositoryMock<Car> { _ in
      try await gate.pass()
      return [Car(id: 1)]
    }
    let evocation = evocation(
      .staleWhileRevalidate(maxAge: .seconds(60)), remote: remote,
      onTrace: { _ in traces.increase() }
    )
    for _ in 0..<5 {
      #expect(await evocation.find(model: Car.self).data == [Car(id: 2)])
    }
    await gate.arrivals(1)
    gate.open()
    await traces.reach(6)
    #expect(remote.calls.count == 1)
    #expect(await evocation.find(model: Car.self).origin == .local)
    #expect(remote.calls.count == 1)
    clock.advance(by: .seconds(61))
    // The next fetch may begin when the one before has ended, which is a little after its trace.
    try await eventually("the next fetch") {
      #expect(await evocation.find(model: Car.self).data == [Car(id: 2)])
      return remote.calls.count > 1
    }
  }

  @Test func `replacing a repository forgets what was fetched into the old one`() async throws {
    let remote = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = evocation(.cacheFirst(maxAge: .seconds(60)), remote: remote)
    _ = await evocation.find(model: Car.self)
    try evocation.proxy(for: Car.self).repository(local: RepositoryMock { _ in [] })
    #expect(await evocation.find(model: Car.self).origin == .remote)
  }

  @Test func `what a read fetched does not overwrite what the app wrote meanwhile`() async {
    let gate = Gate()
    let remote = RepositoryMock<Car> { call in
      guard case .find = call else { return [Car(id: 1, year: 2000)] }
      try await gate.pass()
      return [Car(id: 1, year: 1970)]
    }
    let local = RepositoryMock<Car> { _ in [Car(id: 1)] }
    let evocation = evocation(.init(target: .remote), remote: remote, local: local)
    let read = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    _ = await evocation.updateOne(Car(id: 1, year: 2000))
    gate.open()
    let result = await read.value
    #expect(result.data == [Car(id: 1, year: 1970)])
    #expect(local.calls.count == 1)
    #expect(
      "\(result.trace)".contains(
        "local was skipped: 1 model was written in the meantime and stays as it is."))
  }
}
