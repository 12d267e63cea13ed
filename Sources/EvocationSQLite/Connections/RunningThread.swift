internal import Foundation
internal import Synchronization

/// The thread that runs an operation on a connection, and must not wait for this connection.
final class RunningThread: Sendable {
  private let number = Atomic<UInt>(0)

  /// Whether it is the current thread.
  var isPresent: Bool { number.load(ordering: .relaxed) == Self.present }

  /// Records that the current thread begins an operation.
  func begin() {
    number.store(Self.present, ordering: .relaxed)
  }

  /// Records that the operation has ended.
  func end() {
    number.store(0, ordering: .relaxed)
  }

  /// The system's number for the current thread, which is never zero.
  private static var present: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
