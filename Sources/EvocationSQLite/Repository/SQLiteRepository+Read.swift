public import Evocation

extension SQLiteRepository {
  /// Gives the models that match, in the order asked for.
  ///
  /// - Throws: `EvocationError.unknownKey` or `EvocationError.incomparableValue` for criteria that
  ///   do not fit the model; ``SQLiteError``; `CancellationError`.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    Response(try await models(criteria))
  }

  /// Gives the models that match, and the number of the last commit that the state has.
  ///
  /// A commit of another process has its number from when it is noticed.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    let table = table
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    return try await database.long(database.reader) { connection in
      let (models, version) = try connection.versionedSnapshot { try table.read(query, $0) }
      return RepositorySnapshot(models, version: version)
    }
  }

  /// Gives the first model that matches, or nil; it reads no further than that.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    if let key = table.plainKey(of: criteria) { return Response(try await model(key)) }
    let first = criteria.limit(min(1, criteria.limit ?? 1))
    return Response(try await models(first).first)
  }

  /// Gives the models that match one after the other, without holding all of them in memory.
  ///
  /// ```swift
  /// for try await car in cars.stream(Criteria().sorted(by: "year")) {
  ///   print(car.year)
  /// }
  /// ```
  ///
  /// All of them are of one state of the database, that of the first read, and in the order of
  /// ``find(_:)``. A stream reads on its own connection, so that no other read waits for it; while
  /// it is read, what is written stays in the log beside the file, which grows as long. It ends,
  /// and its connection is closed, when all is read, when an error is thrown, when the task is
  /// cancelled, and when its iterator is released. ``SQLiteDatabase/close()`` ends it too: it gives what
  /// it has read already, and then throws ``SQLiteError`` with the code `closed`.
  ///
  /// 32 streams of a database are read at a time; the next one begins when one of them ends, and until
  /// then its first read waits. So a task never holds more than that half-read.
  ///
  /// A database in memory has no second connection: the models that match are copied at the first
  /// read.
  ///
  /// - Parameter criteria: Which models, and in which order; all of them by default.
  /// - Returns: A sequence that reads again for each loop over it. It throws what ``find(_:)`` throws.
  public func stream(_ criteria: Criteria = Criteria()) -> ModelStream<Model> {
    ModelStream(database: database, table: table, criteria: criteria)
  }

  // Inlined, because a frame of its own would look up the type of `Model?` again.
  @inline(__always)
  func model(_ key: SQLValue) async throws -> Model? {
    let table = table
    return try await database.shortRead { try table.readOne(key, $0) }
  }

  private func models(_ criteria: Criteria) async throws -> [Model] {
    let table = table
    let resolved = try criteria.resolved(against: table.plan.schema)
    if let key = table.key(of: resolved) { return try await model(key).map { [$0] } ?? [] }
    let query = try table.selection.query(resolved)
    return try await database.long(database.reader) { connection in
      try table.read(query, connection)
    }
  }
}
