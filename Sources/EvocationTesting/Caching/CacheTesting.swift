public import Evocation

/// Clears ledgers, so that no test sees what another one left.
public enum CacheTesting {
  /// Forgets every fetch in these ledgers, tells the observers, and waits until it is done.
  ///
  /// ```swift
  /// try CacheTesting.clearAll(in: [ledger])
  /// ```
  ///
  /// Saved data stay, and are not shown until they are fetched again. Give tests that run side by
  /// side a ledger each. The work runs on a separate thread, so this can be called from anywhere.
  ///
  /// - Parameter ledgers: The ledgers to clear; by default the one of repositories that were given
  ///   none. An `Evocation` uses its configuration's ledger, and models on SQLite use the
  ///   database's: name these to clear them.
  /// - Throws: What the ledgers throw.
  public static func clearAll(
    in ledgers: [any FetchLedger] = [InMemoryFetchLedger.shared]
  ) throws {
    try BlockingBridge.result {
      try await clearAllAsync(in: ledgers)
    }
  }

  /// Forgets every fetch in these ledgers, and tells the observers.
  public static func clearAllAsync(
    in ledgers: [any FetchLedger] = [InMemoryFetchLedger.shared]
  ) async throws {
    for ledger in ledgers {
      try await ledger.clear()
      // A record that says "cleared" is kept by `clear`, and goes here.
      try await ledger.erase(prefix: "")
    }
  }
}
