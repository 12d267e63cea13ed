package import Evocation

/// Stores lists in the table `evocation_pages` of the same file, with the ids of a page in a row.
extension SQLiteRepository {
  /// Reads a part of a list, from one state of the database.
  ///
  /// The cost grows with the part, and slightly with the number of pages. If models were removed
  /// since lists were last read, or are gone that another program removed, it takes them out of the
  /// list, and reads again. A file that is only read keeps them.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  package func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>? {
    let plan = table.plan
    for _ in 0..<3 {
      let (part, isSettled) = try await look(at: list, range)
      guard let part, !database.isReadOnly else { return part }
      if isSettled, part.models.count == part.range.count { return part }
      _ = try await database.transaction {
        let connection = $0.connection
        guard isSettled else { return try PageTable.settle(connection) }
        try PageTable(connection, plan).takeOutMissing(of: list)
      }
    }
    return try await look(at: list, range).part
  }

  /// Returns a part of a list, and whether all ids of removed models have left the lists.
  private func look(
    at list: String, _ range: Range<Int>?
  ) async throws -> (part: ListPart<Model>?, isSettled: Bool) {
    let table = table
    return try await database.reading { connection in
      var (found, version) = try connection.versionedSnapshot { connection in
        let lists = PageTable(connection, table.plan)
        let part = try lists.part(of: list, in: range) { try table.read($0, connection) }
        return (part: part, isSettled: try !lists.hasRemovals)
      }
      found.part?.version = version
      return found
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
