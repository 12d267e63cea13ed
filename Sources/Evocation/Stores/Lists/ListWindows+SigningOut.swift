extension ListWindows {
  /// Forgets the lists in memory.
  package func forgetLists() {
    let memory = state.withLock { $0.memory }
    memory?.state.change { state in
      defer { state = InMemoryListStore<Model>.State() }
      return state
    }
  }
}
