public import Evocation

/// Clears what caches remember, so that tests do not see what others left.
public enum CacheTesting {
  /// Forgets every fetch in these ledgers, tells the observers, and waits until it is done.
  ///
  /// ```swift
  /// try CacheTesting.clearAll(in: [ledger])
  /// ```
  ///
  /// Data stay where they are; what was never fetched is not shown. Tests that run side by side had
  /// better have a ledger each than one that all of them clear. It runs on a thread of its own, so it
  /// can be called from anywhere.
  ///
  /// - Parameter ledgers: What is cleared; by default, the one ledger of sources whose repositories
  ///   were given none. That of an `Evocation` is its configuration's, and that of a model on SQLite is in
  ///   the database: to be forgotten, they have to be named.
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
      // Also what was cleared, and is remembered so.
      try await ledger.erase(prefix: "")
    }
  }
}
