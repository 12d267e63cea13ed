import Evocation

/// A place in a fake where calls wait until the test lets them go, so that races are forced by hand.
///
/// ```swift
/// let gate = Gate()
/// let remote = RepositoryMock<Car> { _ in
///   try await gate.pass()
///   return []
/// }
/// ```
///
/// Safe to use from any thread.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Promise<Bool>] = []
  }

  private let state = Lock(State())
  private let arrived = Counter()

  /// Makes a closed gate.
  public init() {}

  /// Waits until the gate is opened, or this call is let through.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before.
  public func pass() async throws {
    let turn = Promise<Bool>()
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(turn) }
      return state.isOpen
    }
    arrived.increase()
    if isOpen { return }
    let passes = await withTaskCancellationHandler {
      await turn.value
    } onCancel: {
      turn.fulfil(false)
    }
    if !passes { throw CancellationError() }
  }

  /// Waits until so many calls have come to the gate since it was made.
  public func arrivals(_ count: Int) async {
    await arrived.reach(count)
  }

  /// Lets the call through that has waited longest.
  public func letOneThrough() {
    let turn = state.withLock { state in
      state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
    turn?.fulfil(true)
  }

  /// Lets everybody through, now and later.
  public func open() {
    let turns = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for turn in turns { turn.fulfil(true) }
  }
}

extension Gate {
  /// A number that grows, and that a task can wait for.
  package final class Counter: Sendable {
    private struct State {
      var count = 0
      var waiting: [(count: Int, reached: Promise<Void>)] = []
    }

    private let state = Lock(State())

    package init() {}

    package func increase() {
      let reached = state.withLock { state in
        state.count += 1
        let reached = state.waiting.filter { $0.count <= state.count }
        state.waiting.removeAll { $0.count <= state.count }
        return reached
      }
      for (_, promise) in reached { promise.fulfil(()) }
    }

    package func reach(_ count: Int) async {
      let reached = Promise<Void>()
      state.withLock { state in
        if state.count >= count {
          reached.fulfil(())
        } else {
          state.waiting.append((count, reached))
        }
      }
      await reached.value
    }
  }
}
