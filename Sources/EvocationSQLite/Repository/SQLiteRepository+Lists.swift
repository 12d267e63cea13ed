package import Evocation

/// Stores lists in the table `evocation_pages` of the same file, with the ids of a page in a row.
extension SQLiteRepository {
  /// Reads a part of a list, from one state of the database.
  ///
  /// The cost grows with the part, and slightly with the number of pages. If models are gone that
  /// the app's SQL or another program removed, it takes them out of the list, and reads again.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  package func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>? {
    let plan = table.plan
    for _ in 0..<2 {
      guard let part = try await look(at: list, range) else { return nil }
      if part.models.count == part.range.count { return part }
      _ = try await database.transaction {
        try PageTable($0.connection, plan).takeOutMissing(of: list)
      }
    }
    return try await look(at: list, range)
  }

  private func look(at list: String, _ range: Range<Int>?) async throws -> ListPart<Model>? {
    let table = table
    return try await database.reading { connection in
      var (part, version) = try connection.versionedSnapshot { connection in
        try PageTable(connection, table.plan).part(of: list, in: range) {
          try table.read($0, connection)
        }
      }
      part?.version = version
      return part
    }
  }

  /// Returns the number of pages of a list; nil if there is no such list.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  package func pageCount(of list: String) async throws -> Int? {
    let plan = table.plan
    return try await database.reading { connection in
      try PageTable(connection, plan).pages(of: list)?.count
    }
  }

  /// Returns an empty collection for the pages of a refresh, in a temporary table of its own.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  package func makePages() async throws -> any CollectedPages<Model> {
    try await database.writing { try TemporaryPages<Model>($0.configuration) }
  }
}
