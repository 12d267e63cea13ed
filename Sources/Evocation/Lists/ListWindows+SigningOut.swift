extension ListWindows {
  /// Forgets the lists in memory, and the drafts.
  func forgetLists() {
    // The forgotten lists are released outside the locks, because that may run the app's code.
    let memory = state.withLock { state in
      state.drafts = [:]
      return state.memory
    }
    let lists = memory?.state.withLock { state in
      defer { state = InMemoryListStore<Model>.State() }
      return state
    }
    withExtendedLifetime(lists) {}
  }
}
