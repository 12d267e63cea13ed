internal import Evocation
internal import Foundation

/// Reads and writes the ledger's table on one connection.
struct FetchTable {
  private static let reading = "Reading the ledger"
  private static let writing = "Writing the ledger"
  private static let first =
    "tag, fetchedAt, isInvalidated, usedAt, size, source, requirements, pages, mark, store"
  private static let columns = ([first] + Connection.ledgerColumns.map(\.name)).joined(
    separator: ", ")
  private static let one = selection(Connection.ledgerColumns.count) + " WHERE tag = ?"
  private static let insertion =
    "INSERT INTO evocation_fetches (\(columns)) VALUES (\(placeholders))"
  private static let placeholders = Array(
    repeating: "?", count: 10 + Connection.ledgerColumns.count
  )
  .joined(separator: ", ")

  /// Returns the query for all records of a ledger that has so many of the added columns.
  private static func selection(_ count: Int) -> String {
    let added = Connection.ledgerColumns.enumerated().map { $0 < count ? $1.name : "NULL" }
    return "SELECT \(([first] + added).joined(separator: ", ")) FROM evocation_fetches"
  }

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Forgets every change token, because the tables have changed since it was recorded.
  func forgetMarks() throws {
    guard try connection.hasOwnTables() else { return }
    try run("UPDATE evocation_fetches SET mark = NULL WHERE mark IS NOT NULL")
  }

  func record(for tag: String) throws -> FetchRecord? {
    guard try connection.hasOwnTables() else { return nil }
    let count = try connection.addedFetchColumns()
    let query =
      count == Connection.ledgerColumns.count ? Self.one : Self.selection(count) + " WHERE tag = ?"
    return try connection.first(query, [.text(tag)], action: Self.reading) {
      Self.record($0)
    }
  }

  func records(prefix: String) throws -> FetchRecords {
    guard try connection.hasOwnTables() else { return [:] }
    var records = FetchRecords()
    let query = try Self.selection(prefix: prefix, columns: connection.addedFetchColumns())
    try connection.rows(query.text, query.values, action: Self.reading) { statement in
      if let tag = statement.text(at: 0) { records[tag] = Self.record(statement) }
      return true
    }
    return records
  }

  func write(_ record: FetchRecord, for tag: String) throws {
    try connection.addFetchColumns()
    // REPLACE is not enough if the app has recreated the table without its unique index.
    try erase(tag: tag)
    try run(
      SQLQuery(
        Self.insertion,
        [
          .text(tag), StoredForm.real(record.fetchedAt.timeIntervalSinceReferenceDate),
          .integer(
            (record.isInvalidated ? Self.invalidated : 0) | (record.isUndated ? Self.undated : 0)),
          StoredForm.real(record.usedAt.timeIntervalSinceReferenceDate),
          .integer(Int64(record.size)), .text(record.source),
          Self.blob(record.requirements), Self.blob(try record.pages.map(JSONEncoder().encode)),
          record.mark.map { .text($0) } ?? .null, record.store.map { .text($0) } ?? .null,
          Self.date(record.firstFetchedAt), Self.integer(record.invalidations),
          Self.integer(record.coverage?.rawValue), Self.date(record.mirroredAt),
          Self.integer(record.leftOut), record.service.map { .text($0) } ?? .null,
        ]))
    try keep(record.fetchedAt)
  }

  func erase(tag: String) throws {
    try run(SQLQuery("DELETE FROM evocation_fetches WHERE tag = ?", [.text(tag)]))
  }

  func erase(prefix: String) throws {
    try run("DELETE FROM evocation_fetches" + Self.condition(prefix))
  }

  func markInvalidated(prefix: String) throws {
    try connection.addFetchColumns()
    try mark(Self.invalidated, prefix, also: ", invalidations = coalesce(invalidations, 0) + 1")
  }

  private func mark(_ bit: Int64, _ prefix: String, also more: String = "") throws {
    try run(
      SQLQuery(
        "UPDATE evocation_fetches SET isInvalidated = isInvalidated | ?" + more, [.integer(bit)])
        + Self.condition(prefix))
  }

  /// Returns the query for the tags with a prefix, and their records.
  static func selection(prefix: String, columns: Int = Connection.ledgerColumns.count) -> SQLQuery {
    SQLQuery(selection(columns)) + condition(prefix)
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

  func run(_ query: SQLQuery) throws {
    try connection.run(query.text, query.values, action: Self.writing)
  }

  /// Returns the record of the present row; nil if its values cannot be a record's.
  private static func record(_ statement: Statement) -> FetchRecord? {
    guard let fetchedAt = StoredDate.read(statement, at: 1),
      case .integer(let isInvalidated) = statement.value(at: 2),
      (0...3).contains(isInvalidated),
      let usedAt = StoredDate.read(statement, at: 3),
      case .integer(let number) = statement.value(at: 4),
      let size = Int(exactly: number), size >= 0,
      let source = statement.text(at: 5),
      isBlobOrNull(statement.value(at: 6)), isBlobOrNull(statement.value(at: 7))
    else { return nil }
    let pages = statement.data(at: 7)?.bytes
    let place = pages.flatMap { try? JSONDecoder().decode(PageRecord.self, from: $0) }
    // A list without the record of its pages could not be continued.
    if pages != nil, place?.count ?? 0 < 1 { return nil }
    var record = FetchRecord(
      fetchedAt: fetchedAt, isInvalidated: isInvalidated & Self.invalidated != 0,
      isUndated: isInvalidated & Self.undated != 0, usedAt: usedAt, size: size,
      source: source, requirements: statement.data(at: 6)?.bytes)
    record.pages = place
    record.mark = statement.text(at: 8)
    record.store = statement.text(at: 9)
    record.firstFetchedAt = StoredDate.read(statement, at: 10)
    record.invalidations = integer(statement.value(at: 11))
    record.coverage = integer(statement.value(at: 12)).flatMap(FetchRecord.Coverage.init)
    record.mirroredAt = StoredDate.read(statement, at: 13)
    record.leftOut = integer(statement.value(at: 14))
    record.service = statement.text(at: 15)
    return record
  }

  private static func date(_ date: Date?) -> SQLValue {
    date.map { StoredForm.real($0.timeIntervalSinceReferenceDate) } ?? .null
  }

  private static func integer(_ number: Int?) -> SQLValue {
    number.map { .integer(Int64($0)) } ?? .null
  }

  private static func integer(_ value: SQLValue) -> Int? {
    if case .integer(let number) = value { Int(exactly: number) } else { nil }
  }

  private static func blob(_ data: Data?) -> SQLValue {
    data.map { .blob([UInt8]($0)) } ?? .null
  }

  private static func isBlobOrNull(_ value: SQLValue) -> Bool {
    switch value {
    case .null, .blob: true
    case .integer, .real, .text, .textBytes: false
    }
  }
}

/// The greatest date that the ledger has seen, in row 1.
///
/// Files of earlier betas may have another row, which goes with the next date that is recorded.
extension FetchTable {
  func seenDate() throws -> SeenDate {
    guard try connection.hasOwnTables() else { return SeenDate() }
    let query = "SELECT greatest FROM evocation_dates WHERE id = 1"
    return SeenDate(
      try connection.first(query, [], action: Self.reading) { StoredDate.read($0, at: 0) })
  }

  /// Records the date of a fetch if it is the latest by far.
  private func keep(_ date: Date) throws {
    var seen = try seenDate()
    guard seen.isNews(date) else { return }
    seen.recordFetch(at: date)
    try store(seen)
  }

  /// Records the present date.
  ///
  /// If the date was set back, every record becomes undated.
  func record(_ date: Date) throws {
    var seen = try seenDate()
    if seen.record(date) { try mark(Self.undated, "") }
    try store(seen)
  }

  private func store(_ seen: SeenDate) throws {
    try run("DELETE FROM evocation_dates")
    guard let date = seen.greatest else { return }
    try run(
      SQLQuery(
        "INSERT INTO evocation_dates (id, greatest) VALUES (1, ?)",
        [.real(date.timeIntervalSinceReferenceDate)]))
  }
}
