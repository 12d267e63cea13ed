public import Synchronization

/// The number of sign-outs of an `Evocation`.
///
/// Work reads it when it begins and again when it ends. If the number differs, a sign-out came in
/// between.
@usableFromInline package final class SignOutCount: Sendable {
  /// The number of sign-outs when the outbox took the entry that this task sends.
  @TaskLocal package static var atSending: UInt64?

  @usableFromInline let count = Atomic<UInt64>(0)

  package init() {}

  /// The present number.
  @inlinable
  package var number: UInt64 { count.load(ordering: .acquiring) }

  /// Separates the work that runs from the work that begins later.
  package func advance() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
