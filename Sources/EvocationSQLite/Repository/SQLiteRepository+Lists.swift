public import Evocation

/// The lists lie in tables of the same file, whose names begin with `evocation_list`.
///
/// Triggers take a removed model out of every list, also when other SQL removes it. What `REPLACE`
/// removes without a trigger, and what is lost when the table is made again, leaves them when the SQL was run through the
/// database, and else when it is missed.
extension SQLiteRepository {
  /// Reads a part of a list, of one state of the database.
  ///
  /// It costs what the part has, and a little for the pages before it.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  public func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>? {
    for isMended in [false, true] {
      if isMended { try await changeLists { try $0.mend(list) } }
      switch try await look(at: list, range) {
      case .missing: return nil
      case .part(let part): return part
      case .faulty: continue
      }
    }
    throw ListDamage(
      model: table.plan.model, reason: "it does not have the models that its record names")
  }

  private func look(at list: String, _ range: Range<Int>?) async throws -> ListLook<Model> {
    let table = table
    return try await database.long(database.reader) { connection in
      let lists = ListTables(connection, table.plan)
      return try lists.unlessMissing {
        let (found, version) = try connection.versionedSnapshot { _ -> ListLook<Model> in
          guard let row = try lists.row(list) else { return .missing }
          let part = try lists.part(row, range) { try table.read($0, connection) }
          return part.map(ListLook.part) ?? .faulty
        }
        guard case .part(var part) = found else { return found }
        part.version = version
        return .part(part)
      } ?? .missing
    }
  }

  /// How many pages a list has; nil without such a list.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  public func pageCount(of list: String) async throws -> Int? {
    let plan = table.plan
    return try await database.long(database.reader) { connection in
      let lists = ListTables(connection, plan)
      return try lists.unlessMissing {
        try connection.snapshot { _ in
          guard let row = try lists.row(list) else { return nil }
          try lists.check(row)
          return Int(clamping: row.last - row.first + 1)
        }
      }
    }
  }

  /// How far the list is fetched that is to take a list's place.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  public func draft(of list: String) async throws -> ListDraft? {
    let plan = table.plan
    return try await database.shortRead { connection in
      let lists = ListTables(connection, plan)
      return try lists.unlessMissing { try ListDraftTable<Model>(lists).draft(of: list) }
    }
  }

  /// How many pages of a list that was replaced are deleted at a time.
  private static var pagesSweptAtOnce: Int64 { 20 }

  /// Runs a transaction on lists alone.
  func changeLists(_ body: @escaping @Sendable (ListTables) throws -> Void) async throws {
    let (plan, watch) = (table.plan, database.watch)
    try await database.writing { connection in
      try watch.transaction(connection) { connection in
        let lists = ListTables(connection, plan)
        try lists.make()
        try body(lists)
      }
    }
  }

  /// Deletes what is left of replaced lists, a little at a time, while no write waits.
  ///
  /// What is not deleted, because the app ended, is so the next time.
  func sweep() {
    let (database, plan) = (database, table.plan)
    Task {
      var isMore = true
      while isMore {
        isMore = try await database.writing { connection in
          let given = "SELECT 1 FROM evocation_lists WHERE tag IS NULL"
          guard try connection.first(given) != nil else { return false }
          return try database.watch.transaction(connection) {
            try ListTables($0, plan).sweep(pages: Self.pagesSweptAtOnce)
          }
        }
      }
    }
  }
}

/// What a look at a list has found.
private enum ListLook<Model: Sendable>: Sendable {
  case missing
  case part(ListPart<Model>)
  /// It has fewer or more models than it says.
  case faulty
}
