internal import Evocation

extension Connection {
  /// Moves a file that an earlier version of the library wrote to the present layout.
  ///
  /// It is one transaction, so other processes, and the next start if this one is killed, find the
  /// file as it was or as it is to be.
  func upgrade() throws {
    guard try hasFormerFormat() else { return }
    try transaction { connection in
      guard try connection.hasFormerFormat() else { return }
      let former = "evocation_former_sign_outs"
      // The number may be wrong although the tables are not.
      let plan = "SELECT 1 FROM pragma_table_info('evocation_sign_outs') WHERE name = 'plan'"
      let hasSignOuts = try connection.first(plan) != nil
      if hasSignOuts {
        try connection.takingNamesForText {
          try connection.move("ALTER TABLE evocation_sign_outs RENAME TO \(former)")
        }
      }
      try connection.addLedgerColumns()
      try connection.makeOwnTables()
      try connection.moveLists()
      if hasSignOuts { try connection.moveSignOuts(from: former) }
      try connection.move("DELETE FROM evocation_format")
      try connection.move("INSERT INTO evocation_format VALUES (\(Self.format))")
    }
  }

  private func move(_ sql: String) throws { try execute(sql, "Upgrading the file") }

  /// Moves the ids of lists, which had a row each, into the rows of their pages.
  ///
  /// A list whose rows contradict each other stays so, and is fetched again.
  private func moveLists() throws {
    let triggers =
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'evocation_listed_*'"
    for trigger in try texts(triggers) {
      try move("DROP TRIGGER \(trigger.quoted)")
    }
    let lists = "SELECT 1 FROM sqlite_schema WHERE name = 'evocation_lists'"
    guard try first(lists) != nil else { return }
    try move(
      """
      INSERT OR IGNORE INTO evocation_pages (list, page, model, ids, requirements) SELECT tag, page, \
      model, CASE WHEN page >= first THEN (SELECT json_group_array(evocation_pack(item)) FROM (SELECT \
      item FROM evocation_list_items AS own WHERE own.list = pages.list AND own.page = pages.page \
      ORDER BY place)) END, requirements FROM evocation_lists JOIN evocation_list_pages AS pages ON \
      list = number WHERE tag IS NOT NULL
      """)
    for table in ["list_items", "list_pages", "lists"] {
      try move("DROP TABLE evocation_\(table)")
    }
  }

  /// Keeps which sign-outs have emptied the file, and those of which only another file knows it.
  private func moveSignOuts(from former: String) throws {
    try move(
      """
      INSERT OR IGNORE INTO evocation_sign_outs (id, isDone, intent) SELECT id, state IN ('done', \
      'decided'), CASE WHEN state = 'marked' AND json_valid(text) THEN CASE WHEN json_extract(text, \
      '$.first') IS NOT NULL THEN plan END END FROM (SELECT *, CAST(plan AS TEXT) AS text FROM \
      \(former)) ORDER BY number
      """)
    try move("DROP TABLE \(former)")
  }

  /// Adds columns that tables from before 2.0.0-beta.1 lack.
  private func addLedgerColumns() throws {
    let columns = try texts("SELECT name FROM pragma_table_info('evocation_fetches')")
    for column in ["mark", "store"] where !columns.isEmpty && !columns.contains(column) {
      try move("ALTER TABLE evocation_fetches ADD COLUMN \(column) TEXT")
    }
  }
}
