import Evocation
import Testing

@Suite(.timeLimit(.minutes(1))) struct LockTests {
  /// Takes the lock when it is released.
  private final class Held: Sendable {
    let lock: Lock<[Held]>
    let releases: Lock<Int>

    init(_ lock: Lock<[Held]>, _ releases: Lock<Int>) {
      self.lock = lock
      self.releases = releases
    }

    deinit {
      let count = lock.withLock { $0.count }
      releases.withLock { $0 += count + 1 }
    }
  }

  private let lock = Lock<[Held]>([])
  private let releases = Lock(0)

  @Test func `What a change takes out of the state is released after the lock`() {
    lock.withLock { $0 = [Held(lock, releases)] }
    lock.change { held in
      defer { held = [] }
      return held
    }
    #expect(releases.withLock { $0 } == 1)
  }

  @Test func `What comes afterwards may take the lock, and says what the change returns`() {
    lock.withLock { $0 = [Held(lock, releases)] }
    let count = lock.change { held in
      defer { held = [] }
      return (held.count, held)
    } afterwards: { count, _ in
      lock.withLock { $0.count } + count + releases.withLock { $0 }
    }
    #expect(count == 1)
    #expect(releases.withLock { $0 } == 1)
  }
}
