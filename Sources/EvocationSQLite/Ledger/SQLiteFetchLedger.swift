public import Evocation
public import Foundation

/// A ledger, the record of when each query was last fetched, in a table of an SQLite file.
///
/// ```swift
/// let settings = CacheRepository(source, ledger: SQLiteFetchLedger(database))
/// ```
///
/// A cache whose local repository is an ``SQLiteRepository`` uses the ledger of its database
/// automatically, and writes models and fetch date in one transaction. All ledgers of one
/// ``SQLiteDatabase`` are the same. Its table is `evocation_fetches`.
///
/// ## Execution
///
/// Reading or writing one tag, the cache key, is bounded by a key and runs on the caller's thread.
/// Everything else runs on a queue of the database.
public final class SQLiteFetchLedger: FetchLedger {
  private let database: SQLiteDatabase

  /// Creates the ledger of a database.
  public init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// The database that contains the ledger's table.
  public var identity: ObjectIdentifier { ObjectIdentifier(database) }

  /// Returns the record of a tag.
  ///
  /// An unreadable record counts as never fetched.
  ///
  /// - Parameter tag: The cache key.
  /// - Returns: The record, or nil if there is none.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func record(for tag: String) async throws -> FetchRecord? {
    try await database.reading(isShort: true) { try FetchTable($0).record(for: tag) }
  }

  /// Stores a record, and replaces an earlier one.
  ///
  /// - Parameters:
  ///   - record: When and how the query was fetched.
  ///   - tag: The cache key.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func write(_ record: FetchRecord, for tag: String) async throws {
    try await change(isShort: true) { try $0.write(record, for: tag) }
  }

  /// Removes the records of the tags that begin with a prefix.
  ///
  /// - Parameter prefix: The beginning of the tags; all tags if it is empty.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func erase(prefix: String) async throws {
    try await change { try $0.erase(prefix: prefix) }
  }

  /// Removes the record of one tag.
  ///
  /// - Parameter tag: The cache key.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func erase(tag: String) async throws {
    try await change(isShort: true) { try $0.erase(tag: tag) }
  }

  /// Removes the records of several tags, in one transaction.
  ///
  /// - Parameter tags: The cache keys.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func erase(tags: [String]) async throws {
    try await change { table in
      for tag in tags { try table.erase(tag: tag) }
    }
  }

  /// Marks the records of the tags that begin with a prefix as stale.
  ///
  /// - Parameter prefix: The beginning of the tags; all tags if it is empty.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func markInvalidated(prefix: String) async throws {
    try await change { try $0.markInvalidated(prefix: prefix) }
  }

  /// Returns the records of the tags that begin with a prefix.
  ///
  /// - Parameter prefix: The beginning of the tags; all tags if it is empty.
  /// - Returns: The records by their tags. An unreadable one is missing.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func records(prefix: String) async throws -> FetchRecords {
    try await database.reading { try FetchTable($0).records(prefix: prefix) }
  }

  /// Returns the latest date that was recorded, or at which a recorded fetch happened.
  ///
  /// - Returns: The date, or nil if there is none.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func greatestDate() async throws -> Date? {
    try await database.reading(isShort: true) { try FetchTable($0).seenDate().greatest }
  }

  /// Records the present date.
  ///
  /// If the date was set back, every record becomes undated.
  ///
  /// In a file without a ledger it writes nothing.
  ///
  /// - Parameter date: The present date.
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func note(_ date: Date) async throws {
    let isDue = try await database.reading(isShort: true) { connection in
      let seen = try FetchTable(connection).seenDate()
      guard seen.greatest != nil else {
        return try connection.hasOwnTables()
          && connection.first("SELECT 1 FROM evocation_fetches LIMIT 1") != nil
      }
      return seen.isSetBack(date) || seen.isNews(date)
    }
    if isDue { try await change { try $0.record(date) } }
  }

  /// Calls the handler after a commit of another connection or process, or of the app's own SQL.
  ///
  /// Evocation notices a commit of another process within about 20 ms, on Apple's systems within
  /// about 100 ms.
  ///
  /// - Parameter handler: Called on any thread.
  /// - Returns: An observation, which ends when it is canceled or released.
  public func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation? {
    let observation = database.others.observeAny(handler)
    let watching = database.watch.begin()
    return Evocation.Observation {
      observation.cancel()
      watching?.cancel()
    }
  }

  private func change(
    isShort: Bool = false, _ body: @escaping @Sendable (FetchTable) throws -> Void
  ) async throws {
    _ = try await database.transaction(isShort: isShort) { scope in
      try scope.connection.makeOwnTables()
      try body(FetchTable(scope.connection))
    }
  }
}
