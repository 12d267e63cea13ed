internal import Evocation

/// What the file has of the index.
extension FullTextIndex {
  /// The name of the table with the numbers of keys.
  var numbers: String { "evocation_numbers(\(table))" }

  /// The definitions of the tables and triggers, by their names, as SQLite stores them.
  private var definitions: [(name: String, sql: String)] {
    let columns = texts.indices.map { "text\($0)" }
    var all = [
      (
        name,
        "CREATE VIRTUAL TABLE \(name.quoted) USING fts5(\(columns.joined(separator: ", ")), "
          + "tokenize = 'unicode61 remove_diacritics 2')"
      )
    ]
    if !isNumbered {
      let keys = keyColumns.enumerated().map {
        "key\($0) \($1.kind.scalar?.columnType ?? "TEXT") NOT NULL"
      }
      let unique = keyColumns.indices.map { "key\($0)" }.joined(separator: ", ")
      all.append(
        (
          numbers,
          "CREATE TABLE \(numbers.quoted) (number INTEGER PRIMARY KEY, "
            + "\(keys.joined(separator: ", ")), UNIQUE (\(unique)))"
        ))
    }
    return all + triggers
  }

  private var triggers: [(name: String, sql: String)] {
    func trigger(_ event: String, _ statements: [String], when: String = "") -> (String, String) {
      let name = "\(name) \(event.lowercased())"
      let body = statements.map { "\($0); " }.joined()
      return (
        name,
        "CREATE TRIGGER \(name.quoted) AFTER \(event) ON \(table.quoted)\(when) BEGIN \(body)END"
      )
    }
    let keys = keyColumns.map(\.name.quoted)
    let moved = keys.map { "old.\($0) IS NOT new.\($0)" }
    let changed = zip(oldTexts, newTexts).map { "\($0) IS NOT \($1)" } + moved
    return [
      trigger("INSERT", addition),
      trigger(
        "UPDATE", removal + forgetting(and: " AND (\(moved.joined(separator: " OR ")))") + addition,
        when: " WHEN \(changed.joined(separator: " OR "))"),
      trigger("DELETE", removal + forgetting()),
    ]
  }

  private var addition: [String] {
    let columns = texts.indices.map { "text\($0)" }.joined(separator: ", ")
    let values = newTexts.joined(separator: ", ")
    let number = number(of: "new")
    var statements = [
      // A row that is replaced is not deleted before.
      "DELETE FROM \(name.quoted) WHERE rowid = \(number)",
      "INSERT INTO \(name.quoted) (rowid, \(columns)) VALUES (\(number), \(values))",
    ]
    if !isNumbered {
      let keys = keyColumns.indices.map { "key\($0)" }.joined(separator: ", ")
      let values = keyColumns.map { "new.\($0.name.quoted)" }.joined(separator: ", ")
      statements.insert(
        "INSERT INTO \(numbers.quoted) (\(keys)) SELECT \(values) WHERE NOT EXISTS (SELECT 1 FROM "
          + "\(numbers.quoted) WHERE \(isSame("new")))", at: 0)
    }
    return statements
  }

  private var removal: [String] {
    ["DELETE FROM \(name.quoted) WHERE rowid = \(number(of: "old"))"]
  }

  private func forgetting(and condition: String = "") -> [String] {
    isNumbered ? [] : ["DELETE FROM \(numbers.quoted) WHERE \(isSame("old"))\(condition)"]
  }

  /// Returns SQL for the number of a row of the table.
  private func number(of row: String) -> String {
    isNumbered
      ? "\(row).\(keyColumns[0].name.quoted)"
      : "(SELECT number FROM \(numbers.quoted) WHERE \(isSame(row)))"
  }

  private func isSame(_ row: String) -> String {
    keyColumns.enumerated().map { "key\($0) = \(row).\($1.name.quoted)" }
      .joined(separator: " AND ")
  }

  private var action: String { "Making the full-text index of the table \(table.quoted)" }

  /// Whether the file has the index with the same definition, and no other one on the table.
  ///
  /// - Throws: ``SQLiteError`` with the code `misuse` if SQLite cannot use such an index.
  func isApplied(to connection: Connection) throws -> Bool {
    guard try connection.first("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") != nil else {
      throw SQLiteError(
        .misuse,
        "\(action) failed: this SQLite was built without FTS5; link one that has it, or remove "
          + "SQLiteIndex.fullText from the indexes.")
    }
    let definitions = definitions
    for (name, sql) in definitions
    where try connection.first(
      "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql = ?", [.text(name), .text(sql)]) == nil
    {
      return false
    }
    return try Self.triggers(on: table, connection).allSatisfy { found in
      definitions.contains { $0.name.hasSameBytes(as: found) }
    }
  }

  /// Creates the index with the words of all rows, in place of every other one on the table.
  func apply(to connection: Connection) throws {
    for trigger in try Self.triggers(on: table, connection) + triggers.map(\.name) {
      try connection.execute("DROP TRIGGER IF EXISTS \(trigger.quoted)", action)
      for table in Self.tables(of: trigger) {
        try connection.execute("DROP TABLE IF EXISTS \(table.quoted)", action)
      }
    }
    for (_, sql) in definitions { try connection.execute(sql, action) }
    for sql in filling { try connection.execute(sql, action) }
  }

  private var filling: [String] {
    let columns = texts.indices.map { "text\($0)" }.joined(separator: ", ")
    let values = texts.joined(separator: ", ")
    let insertion = "INSERT INTO \(name.quoted) (rowid, \(columns)) SELECT "
    let own = keyColumns.map { "\(table.quoted).\($0.name.quoted)" }.joined(separator: ", ")
    guard !isNumbered else {
      return ["\(insertion)\(own), \(values) FROM \(table.quoted)"]
    }
    let keys = keyColumns.indices.map { "key\($0)" }.joined(separator: ", ")
    let join = keyColumns.enumerated().map {
      "\(numbers.quoted).key\($0) = \(table.quoted).\($1.name.quoted)"
    }
    return [
      "INSERT INTO \(numbers.quoted) (\(keys)) SELECT \(own) FROM \(table.quoted)",
      "\(insertion)\(numbers.quoted).number, \(values) FROM \(table.quoted) JOIN \(numbers.quoted) ON "
        + join.joined(separator: " AND "),
    ]
  }

  /// Removes the words of rows that were deleted.
  ///
  /// FTS5 marks them, and keeps them until it has other work on the same words.
  static func eraseWords(of table: String, _ connection: Connection, action: String) throws {
    for name in Set(try triggers(on: table, connection).map { tables(of: $0)[0] }) {
      let name = name.quoted
      try connection.execute("INSERT INTO \(name) (\(name)) VALUES ('rebuild')", action)
    }
  }

  /// Returns the triggers of full-text indexes on a table, which had another name perhaps.
  private static func triggers(
    on table: String, _ connection: Connection
  ) throws -> [String] {
    try connection.texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE AND name LIKE \
      'evocation\\_text(%' ESCAPE '\\'
      """, [.text(table)])
  }

  /// Returns the names of the tables that a trigger keeps.
  private static func tables(of trigger: String) -> [String] {
    let end = trigger.lastIndex(of: " ") ?? trigger.endIndex
    let name = trigger[..<end]
    return [String(name), "evocation_numbers" + name.dropFirst("evocation_text".count)]
  }
}
