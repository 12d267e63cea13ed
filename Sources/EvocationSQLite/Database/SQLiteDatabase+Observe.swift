internal import Evocation

extension SQLiteDatabase {
  /// Observes the answer of your app's own SQL.
  ///
  /// ```swift
  /// let distances = database.observe { db in
  ///   try db.rows(
  ///     "SELECT name, total(km) FROM car LEFT JOIN trip ON trip.car = car.id GROUP BY car.id")
  /// }
  /// for try await rows in distances {
  ///   print(rows.map(\.values))
  /// }
  /// ```
  ///
  /// The first answer comes immediately. Another one comes after each commit that touched one of the
  /// tables that the statements read, also through views: through a repository, by a foreign key or a
  /// trigger, through ``write(_:)``, which may touch every table, or by another process, which
  /// Evocation notices as `observeChanges` of a repository does. SQLite reports the tables, so you
  /// need not name them. While your app handles an answer, further commits lead to one more answer,
  /// the newest. An answer may equal the one before.
  ///
  /// Each loop over the sequence observes on its own, until it ends. While the database is
  /// suspended, it waits.
  ///
  /// - Parameters:
  ///   - models: Model types whose tables to observe too, such as those that `query` reads by other
  ///     means than its `db`; none by default. Each needs a repository on this database before the
  ///     loop begins.
  ///   - query: The reads, in one state of the database. It runs on a queue of the database.
  /// - Returns: A sequence, which throws ``SQLiteError``, or what `query` throws, and ends then. Its
  ///   code is `misuse` if a type has no repository on the database, and `closed` if the database
  ///   was closed.
  public func observe<Value: Sendable>(
    _ models: [any (Codable & Identifiable & Sendable).Type] = [],
    _ query: @escaping @Sendable (borrowing SQLiteAccess) throws -> Value
  ) -> some AsyncSequence<Value, any Error> & Sendable {
    ObservedQuery(database: self, models: models, query: query)
  }

  /// Reads as ``read(_:)`` does, and returns the tables that the statements read, and the number of
  /// the last commit that they saw.
  fileprivate func readTables<Value: Sendable>(
    _ query: @escaping @Sendable (borrowing SQLiteAccess) throws -> Value
  ) async throws -> (value: Value, seen: SeenTables) {
    try await reading { connection in
      connection.observedTables = []
      defer { connection.observedTables = nil }
      let (value, version) = try connection.versionedSnapshot {
        try query(SQLiteAccess($0, mayWrite: false))
      }
      return (value, SeenTables(names: connection.observedTables ?? [], version: version))
    }
  }
}

/// The tables that a query has read, in the state after the commit with this number.
private struct SeenTables: Sendable {
  let names: Set<String>
  let version: UInt64
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
    /// The tables that the query has read, each with the one who knows of its changes.
    @SharedByCopies private var observed: [String: Observed] = [:]
    @SharedByCopies private var unknown: String? = nil

    private typealias Observed = (owner: any TableOwner, observation: Evocation.Observation)

    init(_ answers: ObservedQuery) {
      self.answers = answers
      let database = answers.database
      for model in answers.models {
        let own = database.tables.withLock { $0.names(of: ObjectIdentifier(model)) }
        if own.isEmpty { unknown = "\(model)" }
        observe(own)
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
            // Before the read, because a table may have got a repository since the last one.
            observe(Set(observed.keys))
            let (value, seen) = try await answers.database.readTables(answers.query)
            // Commits from before a table was observed were not noticed.
            if observe(seen.names), answers.database.commits.current != seen.version {
              changes.put(())
            }
            return value
          } catch let error as SQLiteError where error.code == .suspended {
            // The next change is the end of the suspension.
          }
        }
        return nil
      } catch {
        (observations, observed, unknown) = ([], [:], nil)
        throw error
      }
    }

    /// Observes tables, and returns whether one of them was not observed before.
    @discardableResult
    private func observe(_ names: Set<String>) -> Bool {
      var isNews = false
      for name in names {
        let owner = answers.database.tables.withLock { $0.observable(name) }
        if observed[name]?.owner === owner { continue }
        isNews = true
        observed[name] = (owner, owner.observeAny { [changes] in changes.put(()) })
      }
      return isNews
    }
  }
}

extension SQLiteError {
  fileprivate init(unknown model: String, of database: SQLiteDatabase) {
    self.init(
      .misuse,
      "Observing \(model) in \(database.fileName) failed: no repository "
        + "of \(model) uses the database; create it before you observe.")
  }
}
