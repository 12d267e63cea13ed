package import Evocation

/// Stores lists in tables of the same file, whose names begin with `evocation_list`.
///
/// Triggers remove a deleted model from every list, also if other SQL deletes it. No trigger runs
/// for a model that `REPLACE` deletes, or that is lost when the table is recreated. If the SQL ran
/// through the database, such a model leaves the lists then. Otherwise it leaves them when a read
/// misses it.
extension SQLiteRepository {
  /// Reads a part of a list, from one state of the database.
  ///
  /// The cost grows with the part, and slightly with the pages before it.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  package func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>? {
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
    return try await database.reading { connection in
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

  /// Returns the number of pages of a list; nil if there is no such list.
  ///
  /// - Throws: `ListDamage`; ``SQLiteError``; `CancellationError`.
  package func pageCount(of list: String) async throws -> Int? {
    let plan = table.plan
    return try await database.reading { connection in
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

  /// Returns how far a list's draft is fetched, which is to replace the list.
  ///
  /// - Throws: ``SQLiteError``; `CancellationError`.
  package func draft(of list: String) async throws -> ListDraft? {
    let plan = table.plan
    return try await database.reading(isShort: true) { connection in
      let lists = ListTables(connection, plan)
      return try lists.unlessMissing { try ListDraftTable<Model>(lists).draft(of: list) }
    }
  }

  /// How many pages of a replaced list are deleted at a time.
  private static var pagesSweptAtOnce: Int64 { 20 }

  /// Runs a transaction that only changes lists.
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

  /// Deletes the remains of replaced lists in small steps, so that other writes run in between.
  ///
  /// If the app ends before, the next sweep deletes the rest.
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

/// The result of reading a list.
private enum ListLook<Model: Sendable>: Sendable {
  case missing
  case part(ListPart<Model>)
  /// The list has fewer or more models than it records.
  case faulty
}
