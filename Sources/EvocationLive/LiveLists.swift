internal import Evocation

/// The lists that may have to contain a model that has arrived, and are fetched for that.
///
/// Each is fetched at most once in a while.
final class LiveLists: Sendable {
  private let lacking = Lock<[ObjectIdentifier: any CacheRegistry.Entry]>([:])
  private let news = Broadcast<Void>.Buffer(capacity: 1)

  /// How long a list is not fetched again for that.
  private static var pause: Duration { .seconds(5) }

  /// Looks for lists that lack some of these models.
  func offer<Model: Sendable>(_ models: [Model], in registry: CacheRegistry, prefix: String) {
    if models.isEmpty { return }
    let found = registry.entries(prefix).filter { $0.lacks(models) }
    if found.isEmpty { return }
    lacking.withLock { lacking in
      for entry in found { lacking[ObjectIdentifier(entry)] = entry }
    }
    news.put(())
  }

  /// Has them fetched, until the task is canceled.
  func fetch(by time: TimeSource) async {
    while await news.next() != nil {
      let found = lacking.withLock { lacking in
        defer { lacking = [:] }
        return Array(lacking.values)
      }
      for entry in found { entry.receive(.lacking) }
      do { try await time.sleep(Self.pause) } catch { return }
    }
  }
}
