package import Dispatch
import Synchronization

extension Evocation.Observation {
  /// Returns an observation that calls back with each element, one call after another, until it
  /// ends.
  ///
  /// If it ends while a call waits in the queue, that call is not made.
  package static func calling<Element: Sendable>(
    _ callback: @escaping @Sendable (Element) -> Void, on queue: DispatchQueue?,
    with elements: some ObservedSequence<Element>
  ) -> Evocation.Observation {
    let end = ObservationEnd()
    let task = Task {
      for await element in elements where !end.isReached {
        guard let queue else {
          callback(element)
          continue
        }
        await withCheckedContinuation { continuation in
          queue.async {
            if !end.isReached { callback(element) }
            continuation.resume()
          }
        }
      }
    }
    return Evocation.Observation {
      end.set()
      task.cancel()
    }
  }
}

/// Whether an observation has ended.
private final class ObservationEnd: Sendable {
  private let flag = Atomic(false)

  var isReached: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
