internal import Evocation
internal import Foundation

/// The kinds of values for which the columns of models' tables were created, as the file records
/// them.
///
/// Columns of one type may have different contents: a date is a number, and JSON is text. The file
/// has no record for tables that are older than these records, or that other code created.
struct ColumnKinds {
  let connection: Connection

  /// What the file has recorded of a table's columns.
  struct Known {
    /// The kinds of the columns, by their names in lowercase; an empty one may be any.
    var kinds: [String: String] = [:]
    /// The columns that are known to have a value in each row, although the table would take null, by
    /// their names in lowercase.
    var full: Set<String> = []
  }

  /// Returns what the file has recorded of a table's columns.
  ///
  /// A row without the name of a column has those that are full as JSON. Versions before it ignore that
  /// row.
  func all(of table: String) throws -> Known {
    var known = Known()
    guard try connection.hasOwnTables() else { return known }
    try connection.rows(
      "SELECT name, kind FROM evocation_columns WHERE owner = ?",
      [.text(table.lowercased())], action: "Reading the schema"
    ) { statement in
      let name = statement.text(at: 0)
      if name?.isEmpty == true {
        let json = statement.data(at: 1)?.bytes
        known.full = json.flatMap { try? JSONDecoder().decode(Set<String>.self, from: $0) } ?? []
      } else if let name, let kind = statement.text(at: 1), Column.storedKinds.contains(kind) {
        known.kinds[name] = kind
      }
      return true
    }
    return known
  }

  /// Records the kinds of columns.
  func record(_ columns: [Column], of table: String) throws {
    guard !columns.isEmpty else { return }
    let action = "Making the table \(table.quoted)"
    for column in columns {
      try connection.run(
        "INSERT OR REPLACE INTO evocation_columns (owner, name, kind) VALUES (?, ?, ?)",
        [
          .text(table.lowercased()), .text(column.name.lowercased()), .text(column.storedKind),
        ], action: action)
    }
  }

  /// Records which columns have a value in each row, so that the next start need not look.
  func recordFull(_ columns: Set<String>, of table: String) throws {
    let json = String(decoding: try JSONEncoder().encode(columns.sorted()), as: UTF8.self)
    try connection.run(
      "INSERT OR REPLACE INTO evocation_columns (owner, name, kind) VALUES (?, '', ?)",
      [.text(table.lowercased()), .text(json)], action: "Making the table \(table.quoted)")
  }

  /// Forgets the kinds of the tables that any of these statements names.
  ///
  /// A migration may have changed them, so the kinds of the next model apply.
  func forget(tablesIn statements: [String]) throws {
    guard try connection.hasOwnTables() else { return }
    let statements = statements.map { $0.lowercased() }
    for owner in try connection.texts("SELECT DISTINCT owner FROM evocation_columns") {
      let names = [owner, String(owner.quoted.dropFirst().dropLast())]
      guard statements.contains(where: { sql in names.contains { sql.contains($0) } }) else {
        continue
      }
      try connection.run(
        "UPDATE evocation_columns SET kind = '' WHERE owner = ?", [.text(owner)],
        action: "Migrating the database")
    }
  }
}

extension Column {
  /// The column's kind, as the file records it.
  var storedKind: String { kind.scalar?.storedKind ?? "json" }

  /// All kinds that a file of this version may have, with an empty text for an unknown one.
  fileprivate static let storedKinds = Set(ScalarKind.allCases.map(\.storedKind) + ["json", ""])

  /// Returns a stored kind in words.
  static func words(_ storedKind: String) -> String {
    ScalarKind.allCases.first { $0.storedKind == storedKind }?.description ?? "JSON"
  }
}
