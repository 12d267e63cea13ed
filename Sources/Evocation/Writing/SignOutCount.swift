import Synchronization

/// How often somebody signed out of an `Evocation`.
///
/// What began before a sign-out is told by it from what begins after it: it is read when something
/// begins and again when that ends, and changes in between.
final class SignOutCount: Sendable {
  /// How often somebody had signed out when the entry was taken that this task sends.
  @TaskLocal static var atSending: UInt64?

  private let count = Atomic<UInt64>(0)

  /// The present number.
  var number: UInt64 { count.load(ordering: .acquiring) }

  /// Tells what runs from what begins now.
  func advance() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
