import Dispatch
import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls

/// The callbacks of observations, on a queue and without one.
@Suite(.patient) struct ObservingQueueTests {
  private let queue = DispatchQueue(label: "observing")
  private let key = DispatchSpecificKey<Bool>()
  private let evocation: Evocation
  private let calls = Lock<[Bool]>([])

  init() {
    queue.setSpecific(key: key, value: true)
    evocation = Evocation(configuration: .init(callbackQueue: queue))
    evocation.register(for: Car.self).repository(remote: RepositoryMock { _ in [Car(id: 1)] })
      .repository(local: InMemoryRepository([Car(id: 1)])).strategy(.localOnly)
  }

  private func note() {
    let isOnQueue = DispatchQueue.getSpecific(key: key) ?? false
    calls.withLock { $0.append(isOnQueue) }
  }

  @Test(arguments: ["model", "cache", "list"])
  func `A callback of an observation comes on the configured queue`(_ what: String) async throws {
    let observation = observe(what) { note() }
    try await eventually("a callback") { !calls.withLock { $0.isEmpty } }
    #expect(calls.withLock { $0.allSatisfy { $0 } })
    withExtendedLifetime(observation) {}
  }

  private func observe(
    _ what: String, _ callback: @escaping @Sendable () -> Void
  )
    -> Evocation.Observation
  {
    switch what {
    case "model": return evocation.observe(model: Car.self) { _ in callback() }
    case "cache":
      let cache = evocation.cache(Car.self)
      cache.requirements = Criteria()
      let observation = cache.observe { _ in callback() }
      return Evocation.Observation {
        observation.cancel()
        withExtendedLifetime(cache) {}
      }
    default:
      let list = evocation.pagingCache(Car.self, pageSize: 5)
      list.requirements = Criteria()
      let observation = list.observe { _ in callback() }
      return Evocation.Observation {
        observation.cancel()
        withExtendedLifetime(list) {}
      }
    }
  }

  @Test func `A callback that waits in the queue when its observation ends is not called`()
    async throws
  {
    let (next, given) = (Gate(), Lock(0))
    let observation = Evocation.Observation.calling(
      { (_: Int) in note() }, on: queue, with: Numbers(next: next))
    try await eventually("a callback") { calls.withLock { $0.count } == 1 }
    queue.suspend()
    next.open()
    // The element is in the queue as soon as nobody asks for another one.
    await next.arrivals(1)
    try await eventually("it waits in the queue") {
      given.withLock {
        $0 += 1; return $0 > 1_000
      }
    }
    observation.cancel()
    queue.resume()
    queue.sync {}
    #expect(calls.withLock { $0.count } == 1)
  }

  /// One number, and a second one when the gate is open.
  private struct Numbers: ObservedSequence {
    typealias Element = Int
    typealias Failure = Never

    let next: Gate

    func makeAsyncIterator() -> Iterator { Iterator(gate: next) }

    struct Iterator: ObservedIterator {
      typealias Element = Int
      typealias Failure = Never

      let gate: Gate
      var number = 0

      mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Int? {
        number += 1
        if number > 2 { return nil }
        if number == 2 { try? await gate.pass() }
        return number
      }
    }
  }
}
