import Dispatch
import Foundation
import Testing

/// Something that happens, and that a test or a callback waits for, but not for ever.
final class Signal: Sendable {
  private static let patience = 60.0
  private let semaphore = DispatchSemaphore(value: 0)

  /// Notes that it happened once.
  func give() {
    semaphore.signal()
  }

  /// Keeps the thread until it happened so often; false when it did not in time.
  @discardableResult
  func wait(_ count: Int = 1) -> Bool {
    let end = DispatchTime.now() + Self.patience
    return (0..<count).allSatisfy { _ in semaphore.wait(timeout: end) == .success }
  }

  /// Waits on a thread of its own, so that none that Swift shares is kept.
  func comes(_ count: Int = 1) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.wait(count)) }
    }
  }
}

/// A place that keeps the threads that come to it until a test lets them go, but not for ever.
final class Dam: Sendable {
  private let isOpen = DispatchSemaphore(value: 0)
  private let arrival = Signal()

  /// Keeps the thread.
  func hold() {
    arrival.give()
    if isOpen.wait(timeout: .now() + 60) == .timedOut {
      Issue.record("A thread was kept too long.")
    }
    isOpen.signal()
  }

  /// Waits until so many more threads have come.
  func arrivals(_ count: Int = 1) async -> Bool {
    await arrival.comes(count)
  }

  /// Lets everybody go, now and later.
  func open() {
    isOpen.signal()
  }
}
