/// The shared state of all caches of one local repository: its lists, and the window of each list.
package final class ListWindows<Model: Sendable>: Sendable {
  struct State {
    var memory: InMemoryListStore<Model>?
    var windows: [ByteText: Range<Int>] = [:]
  }

  let state = Lock(State())
  /// The lists whose windows change.
  private let changes = Broadcast<ByteText>()

  package init() {}

  /// Returns the store of the lists: the repository if it is one, or else a store in memory.
  ///
  /// - Throws: ``CacheError/notListable(model:)``.
  package func store(beside local: any Repository<Model>) throws(CacheError) -> any ListStore<Model>
  {
    if let store = local.role((any ListStore<Model>).self) { return store }
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
  package func window(of list: String) -> Range<Int>? {
    state.withLock { $0.windows[ByteText(list)] }
  }

  /// Sets the part of a list that its observers see, and calls the watchers of its window.
  package func show(_ range: Range<Int>?, of list: String) {
    let list = ByteText(list)
    let isChanged = state.withLock { state in
      defer { state.windows[list] = range }
      return state.windows[list] != range
    }
    if isChanged { changes.tell(list) }
  }

  /// Calls the handler whenever the window of a list changes.
  package func watch(
    _ list: String, _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    let list = ByteText(list)
    return changes.observe { changed in
      if changed == list { handler() }
    }
  }
}
