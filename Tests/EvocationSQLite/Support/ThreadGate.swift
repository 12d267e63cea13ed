import Dispatch

/// A place where a test holds what it runs, and lets it go by hand.
final class ThreadGate: Sendable {
  private let arrived = AsyncStream<Void>.makeStream()
  private let released = DispatchSemaphore(value: 0)

  /// Says that the held code has come here.
  func arrive() {
    arrived.continuation.yield()
  }

  /// Waits until the code that is to be held has come.
  func waitForArrival() async {
    for await _ in arrived.stream { return }
  }

  /// Keeps the thread of the held code until it is let go.
  func waitForRelease() {
    released.wait()
  }

  /// Lets one go.
  func release() {
    released.signal()
  }
}
