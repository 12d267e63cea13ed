import Synchronization

/// A model that knows how many of its kind there are.
final class Tracked: Sendable {
  private static let count = Atomic(0)

  /// How many there are.
  static var alive: Int { count.load(ordering: .acquiring) }

  init() {
    Self.count.add(1, ordering: .relaxed)
  }

  deinit {
    Self.count.subtract(1, ordering: .releasing)
  }
}
