import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls

/// Writes that wait very long for their turn.
@Suite(.patient) struct LongWaitTests {
  private let clock = ManualClock()
  private let told = Gate.Counter()
  private let traces = Lock<[String]>([])

  private func evocation(_ remote: RepositoryMock<Car>) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock,
        onTrace: { [traces, told] trace in
          traces.withLock { $0.append("\(trace)") }
          told.increase()
        }))
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    return evocation
  }

  @Test func `a write in a detached task inside a write is told of with both calls`() async {
    let (inner, gate) = (Lock<Task<Void, Never>?>(nil), Gate())
    let holder = Lock<Evocation?>(nil)
    let remote = RepositoryMock<Car> { call in
      guard case .updateOne(let car) = call, let evocation = holder.withLock({ $0 }) else {
        return []
      }
      let task = Task.detached { _ = await evocation.storeOne(Car(id: 2)) }
      inner.withLock { $0 = task }
      try await gate.pass()
      await task.value
      return [car]
    }
    let evocation = evocation(remote)
    holder.withLock { $0 = evocation }
    let outer = Task { await evocation.updateOne(Car(id: 1)) }
    await gate.arrivals(1)
    gate.open()
    await clock.sleeps(1)
    clock.advance(by: .seconds(10))
    await told.reach(2)
    let reason =
      "remote was skipped: storeOne Car has waited 10 s for updateOne Car to end; if the latter "
      + "began it in a detached task, both wait forever; use a child task or a plain Task."
    #expect(
      traces.withLock { $0 } == ["storeOne Car: \(reason)", "updateOne Car: \(reason)"])
    inner.withLock { $0 }?.cancel()
    #expect(await outer.value.data == Car(id: 1))
  }

  @Test func `a write that waits a little less is not told of`() async {
    let gate = Gate()
    let evocation = evocation(
      RepositoryMock { call in
        guard case .updateOne(let car) = call else { return [] }
        try await gate.pass()
        return [car]
      })
    async let first = evocation.updateOne(Car(id: 1))
    await gate.arrivals(1)
    async let second = evocation.updateOne(Car(id: 2))
    await clock.sleeps(1)
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    gate.open()
    _ = await (first, second)
    #expect(traces.withLock { $0 }.allSatisfy { !$0.contains("has waited") })
  }
}
