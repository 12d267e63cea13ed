extension ListWindows {
  /// Forgets the lists in memory, and the drafts.
  package func forgetLists() {
    let memory = state.withLock { state in
      state.drafts = [:]
      return state.memory
    }
    memory?.state.change { state in
      defer { state = InMemoryListStore<Model>.State() }
      return state
    }
  }
}
