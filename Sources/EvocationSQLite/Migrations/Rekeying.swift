internal import Evocation
internal import Foundation

/// The change of the ids of a table's rows, with everything in the file that names them: columns of other
/// tables, lists, and the outbox.
///
/// The table is made again, because SQLite cannot change the type of a column. It follows the steps of
/// <https://sqlite.org/lang_altertable.html#otheralter>.
struct Rekeying {
  /// A column that has ids of the table.
  struct Place: Hashable {
    let table: String
    let column: String
  }

  /// A new id, as a column stores it, as JSON, and as the key of entries.
  struct NewID {
    let stored: SQLValue
    let json: [UInt8]
    let key: String
  }

  let table: String
  let kind: ScalarKind
  let references: [Place]
  let connection: Connection
  /// Returns the new id for the text of an old one.
  let convert: (String) throws -> NewID?

  private var action: String { "Changing the ids of the table \(table.quoted)" }

  /// Makes the change.
  func run() throws {
    let key = try key
    let places = try places(key)
    try connection.execute("DROP TABLE IF EXISTS temp.evocation_ids", action)
    try connection.execute(
      "CREATE TEMP TABLE evocation_ids (old PRIMARY KEY NOT NULL, text TEXT NOT NULL, new NOT NULL, json "
        + "TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID", action)
    try connection.execute(
      "CREATE UNIQUE INDEX temp.evocation_ids_new ON evocation_ids (new)", action)
    try connection.execute("CREATE INDEX temp.evocation_ids_text ON evocation_ids (text)", action)
    defer { try? connection.execute("DROP TABLE IF EXISTS temp.evocation_ids", action) }
    for place in [Place(table: table, column: key)] + places { try collect(place) }
    for place in [Place(table: table, column: key)] + places {
      try retype(place, isKey: place.table == table && place.column == key)
    }
    guard try connection.hasOwnTables() else { return }
    try changeLists()
    try changeEntries(key: key, places)
  }

  /// The name of the key's column.
  private var key: String {
    get throws {
      let keys = try FoundColumn.all(of: table, connection).filter { $0.keyPosition > 0 }
      guard keys.count == 1 else {
        throw SQLiteError(
          .misuse,
          "\(action) failed: "
            + (keys.isEmpty
              ? "there is no such table with a primary key; pass the name of a model's table."
              : "its ids are several columns; write the migration in SQL."))
      }
      return keys[0].name
    }
  }

  /// Returns the columns with ids of the table: those that are named, and those with a foreign key.
  private func places(_ key: String) throws -> [Place] {
    let named = try references.map { place in
      let found = try FoundColumn.all(of: place.table, connection).first {
        $0.lowercased == place.column.lowercased()
      }
      guard let found else {
        throw SQLiteError(
          .misuse,
          "\(action) failed: there is no column \(place.column.quoted) in the table "
            + "\(place.table.quoted); name a table and a property of its model in references:.")
      }
      return Place(table: place.table.lowercased(), column: found.name)
    }
    let declared = try connection.all(
      """
      SELECT t.name, f."from" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f WHERE t.type = \
      'table' AND f."table" = ?1 COLLATE NOCASE AND (f."to" IS NULL OR f."to" = ?2 COLLATE NOCASE)
      """, [.text(table), .text(key)], action: action
    ) { statement -> Place? in
      guard let table = statement.text(at: 0), let column = statement.text(at: 1) else {
        return nil
      }
      return Place(table: table.lowercased(), column: column)
    }
    var seen: Set<Place> = []
    return (named + declared).filter { seen.insert($0).inserted }
  }

  // MARK: Ids

  /// Decides the new id of each value in a column.
  private func collect(_ place: Place) throws {
    let olds = try connection.all(
      "SELECT DISTINCT \(place.column.quoted) FROM \(place.table.quoted)", [], action: action
    ) { $0.value(at: 0) }
    for old in olds where old != .null { _ = try new(old) }
  }

  /// Returns the new id of an old one, the same one each time.
  private func new(_ old: SQLValue) throws -> NewID {
    let text = Self.text(old)
    // What JSON has as text may be another kind of value in a column.
    let known = try connection.first(
      "SELECT new, json, key FROM temp.evocation_ids WHERE old = ?1 OR text = ?2 LIMIT 1",
      [old, .text(text)], action: action, Self.read)
    let new = try known ?? convert(text)
    guard let new, new.stored != .null else {
      throw SQLiteError(
        .misuse,
        "\(action) failed: there is no new id for one of the old ones; return an id for each text that "
          + "is an id in the file, also of a model that was removed.")
    }
    guard known == nil else { return new }
    do {
      try connection.run(
        "INSERT INTO temp.evocation_ids (old, text, new, json, key) VALUES (?, ?, ?, ?, ?)",
        [
          old, .text(text), new.stored, .text(String(decoding: new.json, as: UTF8.self)),
          .text(new.key),
        ], action: action)
    } catch let error as SQLiteError where error.code == .constraint {
      throw SQLiteError(
        .constraint,
        "\(action) failed: two ids became the same; return another id for each of them.")
    }
    return new
  }

  private static func read(_ statement: Statement) -> NewID? {
    guard let json = statement.text(at: 1), let key = statement.text(at: 2) else { return nil }
    return NewID(stored: statement.value(at: 0), json: Array(json.utf8), key: key)
  }

  /// Returns the text of an old id, as your app's type prints it.
  private static func text(_ old: SQLValue) -> String {
    switch old {
    case .blob(let bytes) where bytes.count == 16:
      bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
    case .blob(let bytes): Data(bytes).base64EncodedString()
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .textBytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .null: ""
    }
  }

  // MARK: Tables

  /// Creates a table again with the new ids in one of its columns.
  private func retype(_ place: Place, isKey: Bool) throws {
    let table = place.table.quoted
    let sql = try connection.first(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      [.text(place.table)], action: action
    ) { $0.text(at: 0) }
    guard var text = sql.flatMap({ TableText($0) }),
      text.retype(place.column, to: kind.columnType)
    else {
      throw SQLiteError(
        .misuse,
        "\(action) failed: the table \(table) has no definition of the column "
          + "\(place.column.quoted) that can be changed; write the migration in SQL.")
    }
    if isKey, kind.columnType == "INTEGER" { text.addRowID() }
    let others = try connection.texts(
      """
      SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND tbl_name = ? COLLATE NOCASE AND \
      sql IS NOT NULL AND name NOT LIKE 'evocation\\_%' ESCAPE '\\'
      """, [.text(place.table)])
    try copy(place, to: "evocation_copy", as: text)
    for sql in others { try connection.execute(sql, action) }
    guard try connection.hasOwnTables() else { return }
    try connection.run(
      "UPDATE evocation_columns SET kind = '' WHERE owner = ? AND name = ?",
      [.text(place.table.lowercased()), .text(place.column.lowercased())], action: action)
  }

  private func copy(_ place: Place, to name: String, as text: TableText) throws {
    let (table, column) = (place.table.quoted, place.column.quoted)
    try connection.execute(text.sql(name), action)
    let columns = try connection.texts(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.text(place.table)])
    let values = columns.map { name in
      name.lowercased() == place.column.lowercased()
        // A reference may have as text what the key has as another kind of value.
        ? "(SELECT new FROM temp.evocation_ids WHERE old = t.\(column) OR text = t.\(column))"
        : "t.\(name.quoted)"
    }
    let names = columns.map(\.quoted).joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(name.quoted) (\(names)) SELECT \(values.joined(separator: ", ")) FROM \(table) AS t",
      action)
    try connection.execute("DROP TABLE \(table)", action)
    // Otherwise a view of the table, which is gone now, keeps this one from being renamed.
    let isLegacy = try connection.first("PRAGMA legacy_alter_table") == .integer(1)
    if !isLegacy { try connection.execute("PRAGMA legacy_alter_table = 1", action) }
    defer { if !isLegacy { try? connection.execute("PRAGMA legacy_alter_table = 0", action) } }
    try connection.execute("ALTER TABLE \(name.quoted) RENAME TO \(table)", action)
  }

  // MARK: Lists and entries

  private func changeLists() throws {
    let pages = try connection.all(
      "SELECT list, page FROM evocation_pages WHERE model = ? AND ids IS NOT NULL", [.text(table)],
      action: action
    ) { [$0.value(at: 0), $0.value(at: 1)] }
    for page in pages {
      let ids = try connection.all(
        "SELECT value FROM evocation_pages, json_each(ids) AS id WHERE list = ? AND page = ? ORDER BY id.key",
        page, action: action
      ) { try new(PackedValues.unpack($0.value(at: 0))).stored }
      try connection.run(
        "UPDATE evocation_pages SET ids = ? WHERE list = ? AND page = ?",
        [.text(PackedValues.array(ids))] + page, action: action)
    }
  }

  private func changeEntries(key: String, _ places: [Place]) throws {
    let queue = table.lowercased()
    for place in [Place(table: queue, column: key)] + places {
      for column in ["model", "base", "seen"] {
        try changeJSON(
          of: place.column, in: column, ofTable: "evocation_entries", queue: place.table,
          by: "position")
      }
    }
    try changeJSON(
      of: key, in: "identity", ofTable: "evocation_renamings", queue: queue, by: "former")
    for (name, column) in [
      ("evocation_references", "key"), ("evocation_versions", "key"),
      ("evocation_renamings", "key"),
      ("evocation_renamings", "former"), ("evocation_entries", "key"),
    ] {
      try changeKeys(column, of: name, queue: queue)
    }
    try changeLookups(queue)
  }

  /// Returns the condition for the rows of a queue, whose name is the first parameter.
  private static func isIn(_ name: String) -> String {
    name == "evocation_entries"
      ? "queue = (SELECT number FROM evocation_queues WHERE name = ?1)" : "queue = ?1"
  }

  /// Changes the ids under one property of models in JSON; what cannot be read stays as it is.
  private func changeJSON(
    of property: String, in column: String, ofTable name: String, queue: String, by row: String
  ) throws {
    let rows = try connection.all(
      "SELECT \(row), \(column) FROM \(name) WHERE \(Self.isIn(name)) AND \(column) IS NOT NULL",
      [.text(queue)], action: action
    ) { statement in statement.text(at: 1).map { (statement.value(at: 0), $0) } }
    let key = ByteText(String(decoding: try ModelJSON.data(property), as: UTF8.self))
    for (number, text) in rows {
      guard var properties = JSONProperties(Data(text.utf8)), let value = properties[key],
        let old = Self.value(value)
      else { continue }
      properties[key] = try new(old).json
      try connection.run(
        "UPDATE \(name) SET \(column) = ?2 WHERE \(Self.isIn(name)) AND \(row) = ?3",
        [.text(queue), .text(String(decoding: properties.data, as: UTF8.self)), number],
        action: action)
    }
  }

  /// Returns the id that JSON has; nil for null, and for what is no id.
  private static func value(_ json: [UInt8]) -> SQLValue? {
    let data = Data(json)
    if let text = try? ModelJSON.model(String.self, data) { return .text(text) }
    return (try? ModelJSON.model(Int64.self, data)).map { .integer($0) }
      ?? (try? ModelJSON.model(Double.self, data)).map { .real($0) }
  }

  /// Changes the keys by which the outbox names models.
  ///
  /// They are marked first, because the new id of one model may be the old one of another.
  private func changeKeys(_ column: String, of name: String, queue: String) throws {
    let keys = try connection.all(
      "SELECT DISTINCT \(column) FROM \(name) WHERE \(Self.isIn(name))", [.text(queue)],
      action: action
    ) { $0.text(at: 0) }
    for key in keys {
      // Text stands behind an apostrophe there.
      let old: SQLValue =
        key.utf8.first == UInt8(ascii: "'")
        ? .text(String(key.unicodeScalars.dropFirst()))
        : Int64(key).map { .integer($0) } ?? .text(key)
      try connection.run(
        "UPDATE \(name) SET \(column) = char(1) || ?2 WHERE \(Self.isIn(name)) AND \(column) = ?3",
        [.text(queue), .text(try new(old).key), .text(key)], action: action)
    }
    try connection.run(
      "UPDATE \(name) SET \(column) = substr(\(column), 2) WHERE \(Self.isIn(name))",
      [.text(queue)],
      action: action)
  }

  /// Changes the numbers by which the file's index finds the entries of a model.
  private func changeLookups(_ queue: String) throws {
    let entries = try connection.all(
      """
      SELECT position, queue, key FROM evocation_entries WHERE lookup IS NOT NULL AND queue = (SELECT number \
      FROM evocation_queues WHERE name = ?)
      """, [.text(queue)], action: action
    ) { statement in
      statement.text(at: 2).map { (statement.integer(at: 0), statement.integer(at: 1), $0) }
    }
    for (position, number, key) in entries {
      try connection.run(
        "UPDATE evocation_entries SET lookup = ? WHERE position = ?",
        [.integer(Outbox.Reference(queue: queue, key: key).lookup(number)), .integer(position)],
        action: action)
    }
  }
}
