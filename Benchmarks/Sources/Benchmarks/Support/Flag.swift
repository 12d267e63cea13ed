import Synchronization

/// Whether something has come about, which one task says and another one asks.
final class Flag: Sendable {
  private let state: Atomic<Bool>

  init(_ isSet: Bool) { state = Atomic(isSet) }

  var isSet: Bool { state.load(ordering: .acquiring) }

  func set() { state.store(true, ordering: .releasing) }
}
