extension Connection {
  /// Runs a short read in the transaction that is held, or in a new one that is held from now on.
  func runHolding<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    if let held, !held.isCurrent { letGo() }
    if held == nil, let snapshot = HeldSnapshot(handle) {
      try execute("BEGIN DEFERRED", "Beginning a read")
      held = snapshot
    }
    do {
      return try runWithoutWaiting(body)
    } catch {
      letGo()
      throw error
    }
  }

  /// Ends the transaction that is held, if there is one.
  func letGo() {
    guard held != nil else { return }
    held = nil
    rollback()
  }
}
