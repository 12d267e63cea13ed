import Evocation
import EvocationTesting
import TestSupport

@testable import CoreSupport
@testable import EvocationValues

/// A service whose first stream does not end when its reader is canceled, and then sends something.
final class DeafService: ForwardingRepository, LiveRepository {
  /// Is released with the stream.
  private final class Token: Sendable {
    let ended: Promise<Void>

    init(_ ended: Promise<Void>) { self.ended = ended }

    deinit { ended.fulfil() }
  }

  let base = InMemoryRepository<Car>()
  /// How many streams were read.
  let reads = Gate.Counter()
  /// What the first stream sends.
  let late = Promise<RemoteChanges<Car>>()
  /// Ends when nothing has the first stream any more.
  let ended = Promise<Void>()
  private let count = Lock(0)

  func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
    let isFirst = count.withLock { count in
      count += 1
      return count == 1
    }
    let token = isFirst ? Token(ended) : nil
    let isLate = Lock(isFirst)
    return AsyncThrowingStream { [reads, late] in
      withExtendedLifetime(token) {}
      reads.increase()
      let waits = isLate.withLock { isLate in
        defer { isLate = false }
        return isLate
      }
      if waits { return await late.value }
      try await Task.sleep(for: .seconds(3600))
      return nil
    }
  }
}
