/// What two sequences gave last, and the pairs of it that were not read yet.
final class LatestPair<Left: Sendable, Right: Sendable>: Sendable {
  enum Event: Sendable {
    case pair(Left, Right)
    case end
  }

  struct State: Sendable {
    var left: Left?
    var right: Right?
    var ends = 0
    var hadLeft: Bool { left != nil }
    var hadRight: Bool { right != nil }
  }

  let buffer = EventBuffer<Event>(capacity: 256)
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

  func put(left: Left) {
    put { $0.left = left }
  }

  func put(right: Right) {
    put { $0.right = right }
  }

  /// One of the two has ended.
  func end(hadElement: (State) -> Bool) {
    let arrival = state.withLock { state in
      state.ends += hadElement(state) ? 1 : 2
      return state.ends >= 2 ? buffer.add(.end) : nil
    }
    arrival?.fulfil(())
  }

  /// What whoever reads too slowly goes on with.
  var present: [Event] {
    state.withLock { state in
      let end: [Event] = state.ends >= 2 ? [.end] : []
      guard let left = state.left, let right = state.right else { return end }
      return [.pair(left, right)] + end
    }
  }

  /// The event is put in under the lock, for the order; what is replaced is let go of after it, and
  /// who waits is woken then.
  private func put(_ change: (inout State) -> Void) {
    let (arrival, old) = state.withLock { state -> (Promise<Void>?, State) in
      let old = state
      change(&state)
      guard let left = state.left, let right = state.right else { return (nil, old) }
      let arrival = buffer.add(.pair(left, right))
      state.left = keepLeft(left)
      state.right = keepRight(right)
      return (arrival, old)
    }
    arrival?.fulfil(())
    withExtendedLifetime(old) {}
  }
}
