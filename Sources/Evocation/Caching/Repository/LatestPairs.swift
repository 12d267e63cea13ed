/// The last elements of two sequences as pairs.
///
/// The first pair comes as soon as both have an element, and then one comes at each change. It ends
/// when both have ended, or when one has ended without an element. `keepLeft` and `keepRight` change
/// an element after its first pair, for its pairs with later elements of the opposite sequence.
func latestPairs<Left: Sendable, Right: Sendable>(
  _ left: some AsyncSequence<Left, Never> & Sendable,
  _ right: some AsyncSequence<Right, Never> & Sendable,
  keepLeft: @escaping @Sendable (Left) -> Left, keepRight: @escaping @Sendable (Right) -> Right
) -> ObservedElements<(Left, Right)> {
  ObservedElements {
    let latest = LatestPair(keepLeft, keepRight)
    let tasks = [
      Task {
        for await element in left { latest.put { $0.left = element } }
        latest.end { $0.left != nil }
      },
      Task {
        for await element in right { latest.put { $0.right = element } }
        latest.end { $0.right != nil }
      },
    ]
    let pairs = Broadcast.Events(
      buffer: latest.pairs,
      observation: Evocation.Observation { for task in tasks { task.cancel() } })
    return { await pairs.next() }
  }
}

/// The last elements of two sequences, and the pairs that were not read.
private final class LatestPair<Left: Sendable, Right: Sendable>: Sendable {
  struct State: Sendable {
    var left: Left?
    var right: Right?
    var ends = 0
  }

  let pairs = Broadcast<(Left, Right)>.Buffer(capacity: 256)
  private let state = Lock(State())
  private let keepLeft: @Sendable (Left) -> Left
  private let keepRight: @Sendable (Right) -> Right

  init(
    _ keepLeft: @escaping @Sendable (Left) -> Left,
    _ keepRight: @escaping @Sendable (Right) -> Right
  ) {
    self.keepLeft = keepLeft
    self.keepRight = keepRight
  }

  /// Counts the end of one sequence; one that had no element ends the pairs.
  func end(hadElement: (State) -> Bool) {
    let isOver = state.withLock { state in
      state.ends += hadElement(state) ? 1 : 2
      return state.ends >= 2
    }
    if isOver { pairs.put(nil) }
  }

  /// Adds the pair under the lock, to keep the order.
  func put(_ change: (inout State) -> Void) {
    state.change { state -> (old: State, wake: (@Sendable () -> Void)?) in
      let old = state
      change(&state)
      guard let left = state.left, let right = state.right else { return (old, nil) }
      let wake = pairs.add((left, right))
      state.left = keepLeft(left)
      state.right = keepRight(right)
      return (old, wake)
    } afterwards: {
      $0.wake?()
    }
  }
}
