public import Evocation

extension SQLiteRepository {
  /// Returns the models that match, in the order of the criteria.
  ///
  /// A row that the model type cannot decode is an error with the code `schemaMismatch`, which names
  /// its id. With `onUnreadable: .leaveOut`, the answer leaves it out, and `leftOut` in its
  /// metadata says how many it left out.
  ///
  /// - Parameter criteria: Which models, and in which order.
  /// - Returns: The models. An empty result is not an error.
  /// - Throws: `EvocationError.unknownKey` or `EvocationError.incomparableValue` for criteria that
  ///   do not fit the model; ``SQLiteError``; `CancellationError`.
  public func find(_ criteria: Criteria) async throws -> Response<[Model]> {
    let (models, leftOut) = try await models(criteria)
    // With rows left out, it is not known how many models match in all.
    return leftOut == 0
      ? Response(whole: models, for: criteria)
      : Response(models, metadata: Self.metadata(leftOut: leftOut))
  }

  private static func metadata(leftOut count: Int) -> [String: any Sendable] {
    var (leftOut, metadata) = (LeftOut(), [String: any Sendable]())
    leftOut.add(count, because: "that cannot be read")
    leftOut.note(in: &metadata)
    return metadata
  }

  /// Returns the models that match, and the number of the last commit that this state contains.
  ///
  /// A commit of another process gets its number when Evocation notices it.
  public func snapshot(_ criteria: Criteria) async throws -> RepositorySnapshot<Model> {
    let table = table
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    return try await database.reading { connection in
      let (models, version) = try connection.versionedSnapshot { try table.read(query, $0) }
      return RepositorySnapshot(models, version: version)
    }
  }

  /// Returns the first model that matches, or nil, and reads no further.
  public func findOne(_ criteria: Criteria) async throws -> Response<Model?> {
    if table.leavesOutUnreadable, table.key(of: criteria) == nil {
      return try await firstReadable(criteria)
    }
    let first = criteria.limit(min(1, criteria.limit ?? 1))
    return Response(try await models(first).models.first)
  }

  private func firstReadable(_ criteria: Criteria) async throws -> Response<Model?> {
    let table = table
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    let (models, leftOut) = try await database.reading { connection in
      try table.findReadable(query, connection, limit: 1)
    }
    return Response(models.first, metadata: Self.metadata(leftOut: leftOut))
  }

  /// Returns the models that match one after another, without holding all of them in memory.
  ///
  /// ```swift
  /// for try await car in cars.stream(Criteria().sorted(by: "year")) {
  ///   print(car.year)
  /// }
  /// ```
  ///
  /// All models are from one state of the database, that of the first read, and in the order of
  /// ``find(_:)``. A stream reads on its own connection, so no other read waits for it. Until the
  /// stream ends, new writes stay in the log beside the file, which grows.
  ///
  /// A stream ends, and its connection closes, when all models are read, when an error is thrown,
  /// when the task is canceled, and when its iterator is released. ``SQLiteDatabase/close()`` also
  /// ends it: it returns the models that it has already read, and then throws ``SQLiteError`` with
  /// the code `closed`.
  ///
  /// A database has at most 32 running streams. The first read of a further stream waits until one
  /// of them ends. A task must therefore never hold more than 32 unfinished streams.
  ///
  /// A database in memory has no second connection, so the first read copies all matching models.
  ///
  /// - Parameter criteria: Which models, and in which order; all of them by default.
  /// - Returns: A sequence that reads again for each loop over it. It throws what ``find(_:)``
  ///   throws.
  public func stream(_ criteria: Criteria = Criteria()) -> ModelStream<Model> {
    ModelStream(database: database, table: table, criteria: criteria)
  }

  /// Returns the model of a key, or none.
  func models(_ key: SQLValue) async throws -> [Model] {
    let table = table
    return try await database.reading(isShort: true) { try table.read(key, $0) }
  }

  private func models(_ criteria: Criteria) async throws -> (models: [Model], leftOut: Int) {
    let table = table
    if let key = table.key(of: criteria) { return (try await models(key), 0) }
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    return try await database.reading { connection in
      try table.find(query, connection)
    }
  }
}
