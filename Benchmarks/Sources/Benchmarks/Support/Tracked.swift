import Synchronization

/// A model that counts its instances.
final class Tracked: Sendable {
  private static let count = Atomic(0)

  /// The number of instances.
  static var alive: Int { count.load(ordering: .acquiring) }

  init() {
    Self.count.add(1, ordering: .relaxed)
  }

  deinit {
    Self.count.subtract(1, ordering: .releasing)
  }
}
