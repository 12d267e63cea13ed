/// Reads the pairs of two sequences; what it began ends with it.
final class LatestPairsReader<Left: Sendable, Right: Sendable>: Sendable {
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

  /// The next pair, or nil at the end or when the task is cancelled.
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
