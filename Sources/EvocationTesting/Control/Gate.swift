import Evocation

/// Holds calls until your test lets them through, so that it can force a race.
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
    /// How many later calls may pass.
    var passes = 0
    var waiting: [Promise<Bool>] = []

    /// Returns whether a call passes immediately.
    ///
    /// Otherwise it waits.
    mutating func admit(_ turn: Promise<Bool>) -> Bool {
      if isOpen { return true }
      guard passes > 0 else {
        waiting.append(turn)
        return false
      }
      passes -= 1
      return true
    }

    /// Returns the call that has waited longest.
    ///
    /// If none waits, the next call may pass.
    mutating func next() -> Promise<Bool>? {
      guard waiting.isEmpty else { return waiting.removeFirst() }
      passes += 1
      return nil
    }
  }

  private let state = Lock(State())
  private let arrived = Counter()

  /// Creates a closed gate.
  public init() {}

  /// Waits until your test opens the gate, or lets this call through.
  ///
  /// - Throws: `CancellationError` when the task is canceled before.
  public func pass() async throws {
    let turn = Promise<Bool>()
    let passesAtOnce = state.withLock { $0.admit(turn) }
    arrived.increase()
    if passesAtOnce { return }
    let passes = await withTaskCancellationHandler {
      await turn.value
    } onCancel: {
      turn.fulfil(false)
    }
    if passes { return }
    state.withLock { $0.waiting.removeAll { $0 === turn } }
    throw CancellationError()
  }

  /// Waits until this many calls have arrived since your test created the gate.
  ///
  /// - Returns: Whether they have arrived; false when the task was canceled before.
  @discardableResult
  public func arrivals(_ count: Int) async -> Bool { await arrived.reach(count) }

  /// Lets the call through that has waited longest.
  ///
  /// If none waits, it lets the next call through.
  public func letOneThrough() {
    // A call that was canceled in the meantime does not use the turn.
    while let turn = state.withLock({ $0.next() }) {
      if turn.fulfil(true) { return }
    }
  }

  /// Lets all calls through, present and future.
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
  /// A count for which a task can wait.
  package final class Counter: Sendable {
    private let count = Lock(0)
    private let increases = Broadcast<Void>()

    package init() {}

    package func increase() {
      count.withLock { $0 += 1 }
      increases.tell()
    }

    /// Waits for a count; false when the task was canceled before.
    @discardableResult
    package func reach(_ least: Int) async -> Bool {
      let increases = increases.events(keeping: 1)
      while count.withLock({ $0 < least }) {
        guard await increases.next() != nil else { return false }
      }
      return true
    }
  }
}
