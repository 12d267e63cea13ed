internal import Foundation
internal import Synchronization

/// The thread that runs something on a connection, which must not wait for this connection.
final class RunningThread: Sendable {
  private let number = Atomic<UInt>(0)

  /// Whether it is the thread that asks.
  var isPresent: Bool { number.load(ordering: .relaxed) == Self.present }

  /// Says that the present thread begins to run something.
  func begin() {
    number.store(Self.present, ordering: .relaxed)
  }

  /// Says that it has ended.
  func end() {
    number.store(0, ordering: .relaxed)
  }

  /// What the system calls the present thread, which is never zero.
  private static var present: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
