import Synchronization

/// A flag that one task sets and another task reads.
final class Flag: Sendable {
  private let state: Atomic<Bool>

  init(_ isSet: Bool) { state = Atomic(isSet) }

  var isSet: Bool { state.load(ordering: .acquiring) }

  func set() { state.store(true, ordering: .releasing) }
}
