public import Evocation

/// Clears ledgers (the records of when each query was last fetched) between tests.
///
/// ```swift
/// try CacheTesting.clearAll(in: [ledger])
/// #expect(try await ledger.records(prefix: "").isEmpty)
/// ```
public enum CacheTesting {
  /// Deletes every fetch from these ledgers, and notifies the observers before it returns.
  ///
  /// ```swift
  /// try CacheTesting.clearAll(in: [ledger])
  /// ```
  ///
  /// Saved data stay, but no cache shows them until it fetches them again. Give parallel tests their
  /// own ledgers. You can call it from anywhere, because the work runs on its own thread.
  ///
  /// - Parameter ledgers: The ledgers to clear; by default the default ledger of sources. An
  ///   `Evocation` uses the ledger of its configuration, and models on SQLite the ledger of the
  ///   database.
  /// - Throws: Errors of the ledgers.
  public static func clearAll(
    in ledgers: [any FetchLedger] = [InMemoryFetchLedger.shared]
  ) throws {
    try BlockingBridge.result {
      try await clearAllAsync(in: ledgers)
    }
  }

  /// Deletes every fetch from these ledgers, and notifies the observers.
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
