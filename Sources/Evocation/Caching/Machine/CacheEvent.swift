/// What reaches one who observes a cache.
///
/// It does not name the type of the cache, so that buffers are compiled for it: to look up types at
/// each step cost as much as the rest. All who observe through one repository are sent the same one.
enum CacheEvent: Sendable {
  case state(any AnyObject & Sendable)
  /// The repository is gone.
  case end

  /// Makes an event of a state.
  init<Cache: Sendable>(_ state: CacheState<Cache>) {
    self = .state(Content(state))
  }

  /// The state, for who knows what cache it is of; nil at the end.
  func state<Cache: Sendable>(of cache: Cache.Type) -> CacheState<Cache>? {
    guard case .state(let content) = self, let content = content as? Content<Cache> else {
      return nil
    }
    return content.state
  }

  private final class Content<Cache: Sendable>: Sendable {
    let state: CacheState<Cache>

    init(_ state: CacheState<Cache>) {
      self.state = state
    }
  }
}
