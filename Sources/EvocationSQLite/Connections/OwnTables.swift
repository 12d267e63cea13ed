extension Connection {
  /// Creates all tables of the library, if the file does not have them.
  ///
  /// It is part of a transaction.
  func makeOwnTables() throws {
    if hasMadeOwnTables { return }
    for definition in Self.ownTables { try execute(definition, "Making Evocation's tables") }
    hasMadeOwnTables = true
  }

  /// Whether the file has the tables of the library.
  func hasOwnTables() throws -> Bool {
    if hasMadeOwnTables { return true }
    hasMadeOwnTables =
      try first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_pages'") != nil
    return hasMadeOwnTables
  }

  /// The columns that the table of the ledger gets with the first record of this version, in the order of the versions.
  ///
  /// It is no other format: an earlier version, which does not know them, ignores them.
  static let ledgerColumns: [(name: String, type: String)] = [
    ("firstFetchedAt", "REAL"), ("invalidations", "INTEGER"), ("coverage", "INTEGER"),
    ("mirroredAt", "REAL"), ("leftOut", "INTEGER"), ("service", "TEXT"),
  ]

  /// Returns how many of its added columns the ledger's table has.
  func addedFetchColumns() throws -> Int {
    if let fetchColumns { return fetchColumns }
    var names: Set<String> = []
    let query = "SELECT name FROM pragma_table_info('evocation_fetches')"
    try rows(query, [], action: "Reading the ledger's columns") { row in
      if let name = row.text(at: 0) { names.insert(name) }
      return true
    }
    let count = Self.ledgerColumns.prefix { names.contains($0.name) }.count
    if count == Self.ledgerColumns.count { fetchColumns = count }
    return count
  }

  /// Adds the columns of this version, if the ledger does not have them.
  ///
  /// It is part of a transaction.
  func addFetchColumns() throws {
    for column in try Self.ledgerColumns.dropFirst(addedFetchColumns()) {
      try execute(
        "ALTER TABLE evocation_fetches ADD COLUMN \(column.name) \(column.type)",
        "Making Evocation's tables")
    }
    fetchColumns = Self.ledgerColumns.count
  }

  /// Whether the outbox has a column for what the service said, which its table gets with the first
  /// entry that this version writes.
  ///
  /// It is no other format: a version that does not know it ignores it.
  func hasWords() throws -> Bool {
    if knowsWords { return true }
    knowsWords =
      try first("SELECT 1 FROM pragma_table_info('evocation_entries') WHERE name = 'words'") != nil
    return knowsWords
  }

  /// Adds the column for what the service said, if the outbox does not have it.
  ///
  /// It is part of a transaction.
  func makeWords() throws {
    if try hasWords() { return }
    try execute("ALTER TABLE evocation_entries ADD COLUMN words TEXT", "Making Evocation's tables")
    knowsWords = true
  }

  /// Whether the file has the table of removed ids, which one of an earlier version gets with the first
  /// removal.
  ///
  /// It is no other format: a version that does not know it may only show a model again that is stored
  /// again.
  func hasRemovals() throws -> Bool {
    if knowsRemovals { return true }
    knowsRemovals =
      try first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_removals'") != nil
    return knowsRemovals
  }

  /// Creates the table of removed ids, if the file does not have it.
  ///
  /// It is part of a transaction.
  func makeRemovals() throws {
    if try hasRemovals() { return }
    try execute(Self.removals, "Making Evocation's tables")
    knowsRemovals = true
  }

  /// Lets the connection look again which tables the file has, as after a transaction was undone.
  func forgetOwnTables() {
    hasMadeOwnTables = false
    fetchColumns = nil
    knowsWords = false
    knowsRemovals = false
  }

  private static let removals = """
    CREATE TABLE IF NOT EXISTS evocation_removals (model TEXT NOT NULL COLLATE NOCASE, id NOT NULL, \
    PRIMARY KEY (model, id)) WITHOUT ROWID
    """

  /// The layout of the tables of the library; another one is another format.
  private static let ownTables = [
    "CREATE TABLE IF NOT EXISTS evocation_format (version INTEGER PRIMARY KEY)",
    "INSERT OR IGNORE INTO evocation_format VALUES (\(format))",
    """
    CREATE TABLE IF NOT EXISTS evocation_columns (owner TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT \
    NULL, PRIMARY KEY (owner, name)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_migrations (position INTEGER PRIMARY KEY, name TEXT NOT NULL \
    UNIQUE, appliedAt REAL NOT NULL)
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_fetches (tag TEXT NOT NULL PRIMARY KEY, fetchedAt REAL NOT \
    NULL, isInvalidated INTEGER NOT NULL, usedAt REAL NOT NULL, size INTEGER NOT NULL, source TEXT NOT \
    NULL, requirements BLOB, pages BLOB, mark TEXT, store TEXT) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS evocation_dates (id INTEGER PRIMARY KEY, greatest REAL NOT NULL)",
    """
    CREATE TABLE IF NOT EXISTS evocation_pages (list TEXT NOT NULL, page INTEGER NOT NULL, model TEXT \
    NOT NULL COLLATE NOCASE, count INTEGER GENERATED ALWAYS AS (json_array_length(ids)) STORED, ids \
    TEXT CHECK (json_type(ids) = 'array'), requirements BLOB NOT NULL, PRIMARY KEY (list, page)) \
    WITHOUT ROWID
    """,
    "CREATE INDEX IF NOT EXISTS evocation_pages_model ON evocation_pages (model)",
    removals,
    """
    CREATE TABLE IF NOT EXISTS evocation_outbox (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, \
    isHeld INTEGER NOT NULL, holder TEXT, until REAL, length REAL, indexed INTEGER NOT NULL)
    """,
    "INSERT OR IGNORE INTO evocation_outbox (id, version, isHeld, indexed) VALUES (1, 2, 0, 0)",
    """
    CREATE TABLE IF NOT EXISTS evocation_queues (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_entries (position INTEGER PRIMARY KEY, queue INTEGER NOT NULL, \
    key TEXT NOT NULL, id TEXT NOT NULL, kind INTEGER NOT NULL, queuedAt REAL NOT NULL, \
    model TEXT NOT NULL, base TEXT, version TEXT, seen TEXT, state INTEGER, until REAL, since REAL, \
    failure TEXT, reason TEXT, attempts INTEGER, flags INTEGER, unit INTEGER, lookup INTEGER)
    """,
    """
    CREATE INDEX IF NOT EXISTS evocation_entries_lookup ON evocation_entries (lookup) WHERE lookup IS \
    NOT NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS evocation_entries_state ON evocation_entries (state, until) WHERE state \
    IS NOT NULL
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_references (queue TEXT NOT NULL, key TEXT NOT NULL, position \
    INTEGER NOT NULL, isFormer INTEGER NOT NULL, PRIMARY KEY (queue, key, position, isFormer)) WITHOUT \
    ROWID
    """,
    "CREATE INDEX IF NOT EXISTS evocation_references_position ON evocation_references (position)",
    """
    CREATE TABLE IF NOT EXISTS evocation_renamings (queue TEXT NOT NULL, former TEXT NOT NULL, key TEXT \
    NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (queue, former)) WITHOUT ROWID
    """,
    "CREATE INDEX IF NOT EXISTS evocation_renamings_key ON evocation_renamings (queue, key)",
    """
    CREATE TABLE IF NOT EXISTS evocation_services (name TEXT PRIMARY KEY, since REAL NOT NULL, until REAL \
    NOT NULL) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_versions (queue TEXT NOT NULL, key TEXT NOT NULL, version TEXT \
    NOT NULL, PRIMARY KEY (queue, key)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS evocation_sign_outs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, \
    isDone INTEGER NOT NULL, intent BLOB)
    """,
  ]
}
