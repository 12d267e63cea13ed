extension Connection {
  /// Runs a short read in the transaction that is held, or in a new one, which is held
  /// when nobody has committed since the last read.
  func runHolding<Value>(_ body: (Connection) throws -> Value) throws -> Value {
    if let held, !held.isCurrent { letGo() }
    if held == nil, let snapshot = HeldSnapshot(handle) {
      // While somebody commits between any two reads, to hold one is nothing but more work.
      if snapshot.header == lastHeader {
        try execute("BEGIN DEFERRED", "Beginning a read")
        held = snapshot
      }
      lastHeader = snapshot.header
    }
    do {
      return try runWithoutWaiting(body)
    } catch {
      letGo()
      throw error
    }
  }

  /// Whether the log shall be begun anew, which a snapshot that is held keeps from happening.
  var isLogLong: Bool {
    guard let place = WALIndexHeader.place(of: handle) else { return true }
    // From this many pages on, SQLite moves them into the file at each commit.
    return WALIndexHeader(at: place).pageCount >= 1_000
  }

  /// Ends the transaction that is held, if there is one.
  func letGo() {
    guard held != nil else { return }
    held = nil
    rollback()
  }
}
