internal import Evocation

extension SQLiteDatabase {
  /// Observes the answer of your app's own SQL over the tables of several models.
  ///
  /// ```swift
  /// let distances = database.observe([Car.self, Trip.self]) { db in
  ///   try db.rows(
  ///     "SELECT name, total(km) FROM car LEFT JOIN trip ON trip.car = car.id GROUP BY car.id")
  /// }
  /// for try await rows in distances {
  ///   print(rows.map(\.values))
  /// }
  /// ```
  ///
  /// The first answer comes immediately. Another one comes after each commit that touched one of the
  /// tables: through a repository, through ``write(_:)``, which may touch every table, or by another
  /// process, which Evocation notices as `observeChanges` of a repository does. While your app
  /// handles an answer, further commits lead to one more answer, the newest. An answer may equal the
  /// one before.
  ///
  /// Each loop over the sequence observes on its own, until it ends. While the database is
  /// suspended, it waits.
  ///
  /// - Parameters:
  ///   - models: The model types of the tables. Each needs a repository on this database before the
  ///     loop begins.
  ///   - query: The reads, in one state of the database. It runs on a queue of the database.
  /// - Returns: A sequence, which throws ``SQLiteError``, or what `query` throws, and ends then. Its
  ///   code is `misuse` if a type has no repository on the database, and `closed` if the database
  ///   was closed.
  public func observe<Value: Sendable>(
    _ models: [any (Codable & Identifiable & Sendable).Type],
    _ query: @escaping @Sendable (borrowing SQLiteAccess) throws -> Value
  ) -> some AsyncSequence<Value, any Error> & Sendable {
    ObservedQuery(database: self, models: models, query: query)
  }
}

/// The answers of a query, again after each commit that touched one of its tables.
private struct ObservedQuery<Value: Sendable>: AsyncSequence, Sendable {
  let database: SQLiteDatabase
  let models: [any (Codable & Identifiable & Sendable).Type]
  let query: @Sendable (borrowing SQLiteAccess) throws -> Value

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  struct Iterator: AsyncIteratorProtocol {
    private let answers: ObservedQuery
    /// One change that was not taken stands for all later ones.
    private let changes = Broadcast<Void>.Buffer(capacity: 1)
    @SharedByCopies private var observations: [Evocation.Observation] = []
    @SharedByCopies private var unknown: String? = nil

    init(_ answers: ObservedQuery) {
      self.answers = answers
      let database = answers.database
      let tables = database.tables.withLock(\.all)
      for model in answers.models {
        let own = tables.filter { $0.modelType == ObjectIdentifier(model) }
        if own.isEmpty { unknown = "\(model)" }
        observations += own.map { $0.observeAny { [changes] in changes.put(()) } }
      }
      observations.append(database.turns.observe { [changes] in changes.put(()) })
      if let watching = database.watch.begin() { observations.append(watching) }
      changes.put(())
    }

    mutating func next() async throws -> Value? {
      do {
        if let unknown { throw SQLiteError(unknown: unknown, of: answers.database) }
        while !observations.isEmpty, await changes.next() != nil {
          do {
            return try await answers.database.read(answers.query)
          } catch let error as SQLiteError where error.code == .suspended {
            // The next change is the end of the suspension.
          }
        }
        return nil
      } catch {
        (observations, unknown) = ([], nil)
        throw error
      }
    }
  }
}

extension SQLiteError {
  fileprivate init(unknown model: String, of database: SQLiteDatabase) {
    self.init(
      .misuse,
      "Observing \(model) in \(database.path.map { "\"\($0)\"" } ?? "memory") failed: no repository "
        + "of \(model) uses the database; create it before you observe.")
  }
}
