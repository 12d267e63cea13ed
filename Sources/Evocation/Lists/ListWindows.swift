/// What all caches of one local repository share: its lists, and which part of each is looked at.
final class ListWindows<Model: Sendable>: Sendable {
  private struct State {
    var memory: InMemoryListStore<Model>?
    var windows: [String: Range<Int>] = [:]
    var draftMarks: [String: WriteLog<Model>.Mark] = [:]
    var watchers: [String: [UInt64: @Sendable () -> Void]] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Lock(State())

  /// Where the lists are kept: in the repository itself if it can, or else in memory.
  ///
  /// - Throws: ``CacheError/notListable(model:)``.
  func store(beside local: any Repository<Model>) throws(CacheError) -> any ListStore<Model> {
    if let store = local as? any ListStore<Model> { return store }
    if let memory = state.withLock({ $0.memory }) { return memory }
    // Made outside the lock, because that runs the repository's and the model's own code.
    let made = try InMemoryListStore(local)
    return state.withLock { state in
      let memory = state.memory ?? made
      state.memory = memory
      return memory
    }
  }

  /// Which part of a list is looked at; nil for all of it.
  func window(of list: String) -> Range<Int>? {
    state.withLock { $0.windows[list] }
  }

  /// Sets which part of a list is looked at, and tells who watches it.
  func show(_ range: Range<Int>?, of list: String) {
    let watchers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.windows[list] != range else { return [] }
      state.windows[list] = range
      return Array((state.watchers[list] ?? [:]).values)
    }
    for watcher in watchers { watcher() }
  }

  /// When the list was begun that is fetched aside, to take a list's place; nil where that is not
  /// known.
  func draftMark(of list: String) -> WriteLog<Model>.Mark? {
    state.withLock { $0.draftMarks[list] }
  }

  /// Remembers when the list was begun that is fetched aside; nil where there is none any more.
  func keepDraftMark(_ mark: WriteLog<Model>.Mark?, of list: String) {
    // What is let go goes after the lock is open.
    _ = state.withLock { state in
      let old = state.draftMarks.removeValue(forKey: list)
      state.draftMarks[list] = mark
      return old
    }
  }

  /// Calls the handler whenever another part of a list is looked at.
  func watch(_ list: String, _ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
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
