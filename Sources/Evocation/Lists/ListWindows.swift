/// The shared state of all caches of one local repository: its lists, and the window of each list.
final class ListWindows<Model: Sendable>: Sendable {
  struct State {
    var memory: InMemoryListStore<Model>?
    var windows: [ByteText: Range<Int>] = [:]
    /// For each list, how many writes there had been when its draft was begun.
    var drafts: [ByteText: UInt64] = [:]
    var watchers: [ByteText: [UInt64: @Sendable () -> Void]] = [:]
    var lastNumber: UInt64 = 0
  }

  let state = Lock(State())

  /// Returns the store of the lists: the repository if it is one, or else a store in memory.
  ///
  /// - Throws: ``CacheError/notListable(model:)``.
  func store(beside local: any Repository<Model>) throws(CacheError) -> any ListStore<Model> {
    if let store = local as? any ListStore<Model> { return store }
    if let memory = state.withLock({ $0.memory }) { return memory }
    // Created outside the lock, because that calls the repository's and the model's code.
    let made = try InMemoryListStore(local)
    return state.withLock { state in
      let memory = state.memory ?? made
      state.memory = memory
      return memory
    }
  }

  /// Returns the part of a list that its observers see; nil for all of it.
  func window(of list: String) -> Range<Int>? {
    state.withLock { $0.windows[ByteText(list)] }
  }

  /// Sets the part of a list that its observers see, and calls the watchers of its window.
  func show(_ range: Range<Int>?, of list: String) {
    let list = ByteText(list)
    let watchers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.windows[list] != range else { return [] }
      state.windows[list] = range
      return Array((state.watchers[list] ?? [:]).values)
    }
    for watcher in watchers { watcher() }
  }

  /// Returns how many writes there had been when a list's draft was begun; nil where that is
  /// unknown.
  func draft(of list: String) -> UInt64? {
    state.withLock { $0.drafts[ByteText(list)] }
  }

  /// Notes how many writes there had been when a list's draft was begun; nil when there is no
  /// draft.
  func keepDraft(_ writeCount: UInt64?, of list: String) {
    state.withLock { $0.drafts[ByteText(list)] = writeCount }
  }

  /// Calls the handler whenever the window of a list changes.
  func watch(_ list: String, _ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    let list = ByteText(list)
    let number = state.withLock { state in
      state.lastNumber += 1
      state.watchers[list, default: [:]][state.lastNumber] = handler
      return state.lastNumber
    }
    return Evocation.Observation { [weak self] in
      let removed = self?.state.withLock { state in
        let removed = state.watchers[list]?.removeValue(forKey: number)
        if state.watchers[list]?.isEmpty == true { state.watchers[list] = nil }
        return removed
      }
      withExtendedLifetime(removed) {}
    }
  }
}
