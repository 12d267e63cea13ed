internal import Evocation
internal import Foundation

/// Reads and writes the ledger's table on one connection.
///
/// The first write creates the table. In a file without it, no query was ever fetched.
struct FetchTable {
  private static let name = "evocation_fetches"
  private static let reading = "Reading the ledger"
  private static let writing = "Writing the ledger"
  private static let columns = "\(secondColumns), store"
  /// The columns of a table from before stores' names were recorded.
  private static let secondColumns = "\(firstColumns), mark"
  /// The columns of a table from before change tokens were recorded.
  private static let firstColumns =
    "fetchedAt, isInvalidated, usedAt, size, source, requirements, pages"

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Creates the table if it is missing; inexpensive if it exists.
  func make() throws {
    switch try columns() {
    case Self.columns: return
    case Self.secondColumns: try add("store")
    case Self.firstColumns:
      try add("mark")
      try add("store")
    default:
      try connection.writeFormat()
      try connection.execute(
        """
        CREATE TABLE IF NOT EXISTS \(Self.name) (tag TEXT NOT NULL PRIMARY KEY, fetchedAt REAL NOT \
        NULL, isInvalidated INTEGER NOT NULL, usedAt REAL NOT NULL, size INTEGER NOT NULL, source \
        TEXT NOT NULL, requirements BLOB, pages BLOB, mark TEXT, store TEXT) WITHOUT ROWID
        """, Self.writing)
    }
  }

  private func add(_ column: String) throws {
    try connection.execute("ALTER TABLE \(Self.name) ADD COLUMN \(column) TEXT", Self.writing)
  }

  /// Forgets every change token, because the tables have changed since it was recorded.
  func forgetMarks() throws {
    guard let columns = try columns(), columns != Self.firstColumns else { return }
    try run("UPDATE \(Self.name) SET mark = NULL WHERE mark IS NOT NULL")
  }

  func record(for tag: String) throws -> FetchRecord? {
    try unlessMissing { columns in
      let statement = try bound(
        SQLQuery("SELECT \(columns) FROM \(Self.name) WHERE tag = ?", [.text(tag)]),
        Self.reading)
      defer { statement.reset() }
      guard try connection.step(statement, Self.reading) else { return nil }
      return Self.record(statement, from: 0)
    } ?? nil
  }

  func records(prefix: String) throws -> FetchRecords {
    try unlessMissing { columns in
      var records = FetchRecords()
      let statement = try bound(Self.selection(columns, prefix: prefix), Self.reading)
      defer { statement.reset() }
      while try connection.step(statement, Self.reading) {
        guard case .text(let tag) = statement.value(at: 0) else { continue }
        records[tag] = Self.record(statement, from: 1)
      }
      return records
    } ?? [:]
  }

  func write(_ record: FetchRecord, for tag: String) throws {
    // REPLACE is not enough if the app has recreated the table without its unique index.
    try erase(tag: tag)
    try run(
      SQLQuery(
        "INSERT OR REPLACE INTO \(Self.name) (tag, \(Self.columns)) VALUES "
          + "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .text(tag), StoredForm.real(record.fetchedAt.timeIntervalSinceReferenceDate),
          .integer(
            (record.isInvalidated ? Self.invalidated : 0) | (record.isUndated ? Self.undated : 0)),
          StoredForm.real(record.usedAt.timeIntervalSinceReferenceDate),
          .integer(Int64(record.size)), .text(record.source),
          Self.blob(record.requirements), Self.blob(try record.pages.map(JSONEncoder().encode)),
          record.mark.map { .text($0) } ?? .null, record.store.map { .text($0) } ?? .null,
        ]))
    try keep(DateGuard.greatest(record.fetchedAt, nil))
  }

  func erase(tag: String) throws {
    try run(SQLQuery("DELETE FROM \(Self.name) WHERE tag = ?", [.text(tag)]))
  }

  func erase(prefix: String) throws {
    try run("DELETE FROM \(Self.name)" + Self.condition(prefix))
  }

  func markInvalidated(prefix: String) throws {
    try mark(Self.invalidated, prefix)
  }

  /// Declares the age of every record unknown.
  private func markUndated() throws {
    try mark(Self.undated, "")
  }

  private func mark(_ bit: Int64, _ prefix: String) throws {
    try run(
      SQLQuery("UPDATE \(Self.name) SET isInvalidated = isInvalidated | ?", [.integer(bit)])
        + Self.condition(prefix))
  }

  /// Returns whether the table exists.
  func isMade() throws -> Bool { try connection.first(Self.isThere) != nil }

  /// Returns the query for the tags with a prefix, and their records.
  static func selection(_ columns: String = columns, prefix: String) -> SQLQuery {
    "SELECT tag, \(columns) FROM \(name)" + condition(prefix)
  }

  /// Returns a range of bytes, so that the key's index is used, and no character has a special
  /// meaning.
  private static func condition(_ prefix: String) -> SQLQuery {
    // A byte of UTF-8 is never 255, so the last one can be increased to end the range.
    var end = Array(prefix.utf8)
    guard let last = end.popLast() else { return "" }
    end.append(last + 1)
    return SQLQuery(" WHERE tag >= ? AND tag < ?", [.text(prefix), .textBytes(end)])
  }

  /// Bits of the column `isInvalidated`.
  private static let invalidated: Int64 = 1
  private static let undated: Int64 = 2

  /// The value of a column that may be null.
  private struct Blob {
    let value: Data?
  }

  private static let isThere =
    "SELECT (instr(sql, 'mark') > 0) + (instr(sql, 'store') > 0) FROM sqlite_schema "
    + "WHERE name = '\(name)'"

  /// Returns the columns of the existing table; nil if there is none.
  private func columns() throws -> String? {
    guard let added = try connection.first(Self.isThere) else { return nil }
    if added == .integer(0) { return Self.firstColumns }
    return added == .integer(1) ? Self.secondColumns : Self.columns
  }

  /// Returns what `body` reads from the existing columns; nil if there is no such table.
  private func unlessMissing<Value>(_ body: (_ columns: String) throws -> Value) throws -> Value? {
    do {
      return try body(Self.columns)
    } catch let error as SQLiteError {
      // Checked after the failure, because the table nearly always exists.
      switch try columns() {
      case nil: return nil
      case Self.firstColumns: return try body("\(Self.firstColumns), NULL, NULL")
      case Self.secondColumns: return try body("\(Self.secondColumns), NULL")
      case .some: throw error
      }
    }
  }

  func run(_ query: SQLQuery) throws {
    let statement = try bound(query, Self.writing)
    defer { statement.reset() }
    while try connection.step(statement, Self.writing) {}
  }

  private func bound(_ query: SQLQuery, _ action: String) throws -> Statement {
    let statement = try connection.statement(query.text, action)
    for (index, value) in query.values.enumerated() {
      try connection.check(statement.bind(value, at: Int32(index + 1)), "Binding a value")
    }
    return statement
  }

  /// Returns the record of the present row; nil if its values cannot be a record's.
  private static func record(_ statement: Statement, from first: Int32) -> FetchRecord? {
    guard let fetchedAt = date(statement, at: first),
      case .integer(let isInvalidated) = statement.value(at: first + 1),
      (0...3).contains(isInvalidated),
      let usedAt = date(statement, at: first + 2),
      case .integer(let number) = statement.value(at: first + 3),
      let size = Int(exactly: number), size >= 0,
      case .text(let source) = statement.value(at: first + 4),
      let requirements = data(statement, at: first + 5),
      let pages = data(statement, at: first + 6)
    else { return nil }
    // A list without the record of its pages could not be continued.
    let place = pages.value.flatMap { try? JSONDecoder().decode(PageRecord.self, from: $0) }
    if pages.value != nil, place?.count ?? 0 < 1 { return nil }
    var record = FetchRecord(
      fetchedAt: fetchedAt, isInvalidated: isInvalidated & Self.invalidated != 0,
      isUndated: isInvalidated & Self.undated != 0, usedAt: usedAt, size: size,
      source: source, requirements: requirements.value)
    record.pages = place
    if case .text(let mark) = statement.value(at: first + 7) { record.mark = mark }
    if case .text(let store) = statement.value(at: first + 8) { record.store = store }
    return record
  }

  /// Returns a date; nil for another value, and for years in which nothing can have been fetched.
  private static func date(_ statement: Statement, at index: Int32) -> Date? {
    guard case .real(let seconds) = statement.value(at: index) else { return nil }
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    return date >= .distantPast && date <= .distantFuture ? date : nil
  }

  private static func blob(_ data: Data?) -> SQLValue {
    data.map { .blob([UInt8]($0)) } ?? .null
  }

  /// Returns bytes or null; nil for any other value.
  private static func data(_ statement: Statement, at index: Int32) -> Blob? {
    switch statement.value(at: index) {
    case .null: Blob(value: nil)
    case .blob(let bytes): Blob(value: Data(bytes))
    case .integer, .real, .text, .textBytes: nil
    }
  }
}

/// The latest date that the ledger has seen, in a table of one row.
///
/// The first write to the ledger creates the table, in older files too.
extension FetchTable {
  private static let dates = "evocation_dates"
  private static let areDatesThere = "SELECT 1 FROM sqlite_schema WHERE name = '\(dates)'"

  func greatestDate() throws -> Date? {
    guard try connection.first(Self.areDatesThere) != nil,
      case .real(let seconds)? = try connection.first("SELECT greatest FROM \(Self.dates)"),
      seconds.isFinite
    else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Stores a date if it is the latest.
  func keep(_ date: Date?) throws {
    guard let date else { return }
    try makeDates()
    try run(
      SQLQuery(
        """
        INSERT INTO \(Self.dates) (id, greatest) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET \
        greatest = excluded.greatest WHERE greatest < excluded.greatest
        """, [.real(date.timeIntervalSinceReferenceDate)]))
  }

  /// Records the present date.
  ///
  /// If the date was set back, every record becomes undated.
  func note(_ date: Date) throws {
    guard DateGuard.isSetBack(date, from: try greatestDate()) else {
      return try keep(DateGuard.greatest(date, nil))
    }
    try markUndated()
    try run("DELETE FROM \(Self.dates)")
    try keep(date)
  }

  private func makeDates() throws {
    guard try connection.first(Self.areDatesThere) == nil else { return }
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(Self.dates) (id INTEGER PRIMARY KEY, greatest REAL NOT NULL)",
      "Writing the ledger")
  }
}
