public import Evocation
public import Foundation

/// A ledger in a table of an SQLite file.
///
/// ```swift
/// let settings = CacheRepository(source, ledger: SQLiteFetchLedger(database))
/// ```
///
/// A cache whose local repository is an ``SQLiteRepository`` uses the ledger of its database
/// without being given it, and writes data and freshness in one transaction. All ledgers of one
/// ``SQLiteDatabase`` are the same. The first write makes the table, `evocation_fetches`.
///
/// ## Execution
///
/// Reading or writing one tag is bounded by a key and runs on the caller's thread; everything else
/// runs on a queue of the database.
public final class SQLiteFetchLedger: FetchLedger {
  private let database: SQLiteDatabase

  /// Makes the ledger of a database.
  public init(_ database: SQLiteDatabase) {
    self.database = database
  }

  /// The database that the ledger's table lies in.
  public var identity: ObjectIdentifier { ObjectIdentifier(database) }

  /// Gives the record of a tag; one that cannot be read counts as never fetched.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func record(for tag: String) async throws -> FetchRecord? {
    try await database.shortRead { try FetchTable($0).record(for: tag) }
  }

  /// Remembers a record, in place of an earlier one.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func write(_ record: FetchRecord, for tag: String) async throws {
    try await change(isShort: true) { try $0.write(record, for: tag) }
  }

  /// Forgets the tags that begin with a prefix.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func erase(prefix: String) async throws {
    try await change { try $0.erase(prefix: prefix) }
  }

  /// Forgets one tag.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func erase(tag: String) async throws {
    try await change(isShort: true) { try $0.erase(tag: tag) }
  }

  /// Declares stale what was fetched under the tags that begin with a prefix.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func markInvalidated(prefix: String) async throws {
    try await change { try $0.markInvalidated(prefix: prefix) }
  }

  /// Gives the records of the tags that begin with a prefix.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func records(prefix: String) async throws -> FetchRecords {
    try await database.long(database.reader) { try FetchTable($0).records(prefix: prefix) }
  }

  /// The latest date that was noted, or of a fetch that was recorded.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func greatestDate() async throws -> Date? {
    try await database.shortRead { try FetchTable($0).greatestDate() }
  }

  /// Takes the present date; where that was set back, every record becomes undated.
  ///
  /// In a file without any record it writes nothing.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func note(_ date: Date) async throws {
    let isDue = try await database.shortRead { connection in
      let table = FetchTable(connection)
      guard let greatest = try table.greatestDate() else { return try table.isMade() }
      return DateGuard.isSetBack(date, from: greatest) || DateGuard.isNews(date, to: greatest)
    }
    if isDue { try await change { try $0.note(date) } }
  }

  /// Calls the handler when another connection or process has committed, or the app by its own SQL.
  ///
  /// It notices commits within about 20 ms, or within half a second where the system does not allow
  /// watching files.
  public func observeOthers(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation? {
    let observation = database.others.observe { _ in handler() }
    let watching = database.watch.begin()
    return Evocation.Observation {
      observation.cancel()
      watching?.cancel()
    }
  }

  private func change(
    isShort: Bool = false, _ body: @escaping @Sendable (FetchTable) throws -> Void
  ) async throws {
    let watch = database.watch
    try await database.writing(isShort: isShort) { connection in
      try watch.transaction(connection) { connection in
        let table = FetchTable(connection)
        try table.make()
        try body(table)
      }
    }
  }
}
