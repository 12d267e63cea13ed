/// The last elements of two sequences as pairs.
///
/// The first pair comes as soon as both have an element, and then one comes at each change. Reading
/// begins with the first call of an iterator's `next`. Each iterator reads both sequences
/// separately. It ends when both have ended, or when one has ended without an element.
struct LatestPairs<
  Left: AsyncSequence & Sendable, Right: AsyncSequence & Sendable
>: ObservedSequence
where
  Left.Failure == Never, Right.Failure == Never, Left.Element: Sendable, Right.Element: Sendable
{
  typealias Element = (Left.Element, Right.Element)
  typealias Failure = Never

  let left: Left
  let right: Right
  /// Change an element after its first pair, for its pairs with later elements of the opposite
  /// sequence.
  let keepLeft: @Sendable (Left.Element) -> Left.Element
  let keepRight: @Sendable (Right.Element) -> Right.Element

  func makeAsyncIterator() -> Iterator {
    Iterator(pairs: self)
  }

  struct Iterator: ObservedIterator {
    let pairs: LatestPairs
    private var reader: LatestPairsReader<Left.Element, Right.Element>?

    init(pairs: LatestPairs) {
      self.pairs = pairs
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      let present = reader ?? pairs.read()
      reader = present
      return await present.next()
    }
  }

  private func read() -> LatestPairsReader<Left.Element, Right.Element> {
    let latest = LatestPair(keepLeft, keepRight)
    let tasks = [
      Task { [left] in
        for await element in left { latest.put(left: element) }
        latest.end(hadElement: \.hadLeft)
      },
      Task { [right] in
        for await element in right { latest.put(right: element) }
        latest.end(hadElement: \.hadRight)
      },
    ]
    return LatestPairsReader(latest, tasks)
  }
}

/// Reads the pairs of two sequences; its tasks end when it is released.
private final class LatestPairsReader<Left: Sendable, Right: Sendable>: Sendable {
  private let latest: LatestPair<Left, Right>
  private let tasks: [Task<Void, Never>]
  private let events = Lock<ArraySlice<LatestPair<Left, Right>.Event>>([])

  init(_ latest: LatestPair<Left, Right>, _ tasks: [Task<Void, Never>]) {
    self.latest = latest
    self.tasks = tasks
  }

  deinit {
    for task in tasks { task.cancel() }
  }

  /// The next pair, or nil at the end or when the task is canceled.
  func next() async -> (Left, Right)? {
    while !Task.isCancelled {
      if let event = events.withLock({ $0.popFirst() }) {
        guard case .pair(let left, let right) = event else { return nil }
        return (left, right)
      }
      await latest.buffer.arrival()
      switch latest.buffer.empty() {
      case .events(let new): events.withLock { $0 = new[...] }
      case .tooMany: events.withLock { $0 = latest.present[...] }
      }
    }
    return nil
  }
}

/// The last elements of two sequences, and the unread pairs.
private final class LatestPair<Left: Sendable, Right: Sendable>: Sendable {
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

  /// Counts the end of one sequence; one that had no element ends the pairs.
  func end(hadElement: (State) -> Bool) {
    let arrival = state.withLock { state in
      state.ends += hadElement(state) ? 1 : 2
      return state.ends >= 2 ? buffer.add(.end) : nil
    }
    arrival?.fulfil(())
  }

  /// The events for a reader that was too slow: the last pair, and the end.
  var present: [Event] {
    state.withLock { state in
      let end: [Event] = state.ends >= 2 ? [.end] : []
      guard let left = state.left, let right = state.right else { return end }
      return [.pair(left, right)] + end
    }
  }

  /// Adds the event under the lock, to keep the order; releases old elements and wakes the reader
  /// after it.
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
