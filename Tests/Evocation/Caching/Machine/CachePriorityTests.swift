import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationValues

/// A load has the priority of the most urgent one who waits for it.
@Suite(.patient) struct CachePriorityTests {
  private let bench = CacheBench()
  private let gate = Gate()
  private let seen = Lock<[UInt8]>([])
  private let raised = Gate.Counter()

  private func source() -> FakeSource {
    FakeSource { [gate, seen, raised] count in
      seen.withLock { $0.append(Task.currentPriority.rawValue) }
      await withPriorityHandler {
        try? await gate.pass()
      } onRaised: { _ in
        raised.increase()
      }
      seen.withLock { $0.append(Task.currentPriority.rawValue) }
      return ["v\(count)"]
    }
  }

  private static let low = TaskPriority.background
  private static let high = TaskPriority.high

  @Test func `A refresh that an urgent caller joins is raised`() async throws {
    let repository = bench.repository(source())
    let slow = Task(priority: Self.low) { try await repository.refresh(force: true) }
    await gate.arrivals(1)
    let urgent = Task.detached(priority: Self.high) { try await repository.refresh(force: true) }
    try await eventually("both to wait") { repository.waiters == 2 }
    #expect(await raised.reach(1))
    gate.open()
    #expect(try await slow.value == .successful)
    #expect(try await urgent.value == .successful)
    #expect(seen.withLock { $0 } == [Self.low.rawValue, Self.high.rawValue])
  }

  @Test func `A caller that becomes urgent while it waits raises the refresh`() async throws {
    let repository = bench.repository(source())
    let slow = Task.detached(priority: Self.low) { try await repository.refresh(force: true) }
    await gate.arrivals(1)
    // Who waits for a task's value raises it.
    let urgent = Task.detached(priority: Self.high) { try await slow.value }
    #expect(await raised.reach(1))
    gate.open()
    #expect(try await urgent.value == .successful)
    #expect(seen.withLock { $0.last } == Self.high.rawValue)
  }
}
