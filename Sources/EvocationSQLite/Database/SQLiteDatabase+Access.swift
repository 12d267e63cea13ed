internal import Evocation

extension SQLiteDatabase {
  /// Reads with SQL from one state of the database, unaffected by concurrent writes.
  ///
  /// ```swift
  /// let names = try await database.read { db in
  ///   try db.rows("SELECT name FROM car WHERE year >= ?", [2000]).map { $0["name"] }
  /// }
  /// ```
  ///
  /// - Parameter body: The reads. It runs on a queue of the database.
  /// - Returns: What `body` returns.
  /// - Throws: ``SQLiteError``, `CancellationError`, or what `body` throws.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing SQLiteAccess) throws -> Value
  ) async throws -> Value {
    try await long(reader) { connection in
      try connection.snapshot { try body(SQLiteAccess($0, mayWrite: false)) }
    }
  }

  /// Writes with SQL in one transaction, and undoes it if `body` throws.
  ///
  /// ```swift
  /// try await database.write { db in
  ///   try db.execute("UPDATE car SET year = ? WHERE id = ?", [2003, id])
  /// }
  /// ```
  ///
  /// If it changes a row, Evocation notifies the observers of every repository on this database of
  /// an unknown change.
  ///
  /// - Parameter body: The writes. It runs on a queue of the database.
  /// - Returns: What `body` returns.
  /// - Throws: ``SQLiteError``, `CancellationError`, or what `body` throws.
  @discardableResult
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing SQLiteAccess) throws -> Value
  ) async throws -> Value {
    try await writing { connection in
      let before = connection.totalChanges
      let value = try self.watch.transaction(connection) { connection in
        try connection.keepingLists { try body(SQLiteAccess(connection, mayWrite: true)) }
      }
      if connection.totalChanges != before {
        // The SQL may have changed the entries of the outbox.
        self.entryIndex.withLock { $0 = EntryIndex(isSuspect: true) }
        self.tellUnknown(version: connection.version)
      }
      return value
    }
  }

  /// Runs an operation bounded by a key on the caller's thread, unless it would have to wait.
  func short<Value: Sendable>(
    _ pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    guard !leavesThisThread, let connection = pool.takeIdle() else {
      return try await long(pool, body)
    }
    if let value = try atOnce(connection, of: pool, { try $0.runWithoutWaiting(body) }) {
      return value
    }
    return try await pool.run(on: connection, body)
  }

  /// Runs a read bounded by a key on the caller's thread, unless it would have to wait.
  ///
  /// If only this process can commit, its transaction may stay open for the next read.
  func shortRead<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    guard let readers else { return try await short(writer, body) }
    try Task.checkCancellation()
    // Opening another reader takes long, so that happens on the queue of the pool.
    guard !leavesThisThread, let connection = readers.takeIdle() else {
      return try await long(readers, body)
    }
    let value = try atOnce(connection, of: readers) { connection in
      switch sharing {
      case .severalProcesses: try connection.runWithoutWaiting(body)
      case .oneProcess: try connection.runHolding(body)
      }
    }
    if let value { return value }
    return try await readers.run(on: connection, body)
  }

  /// Whether the caller is on the main thread, and the app keeps database calls away from it.
  private var leavesThisThread: Bool { leavesMainThread && MainThread.isCurrent }

  /// Runs an operation and returns the connection to the pool.
  ///
  /// Returns nil, and keeps the connection, if the operation would have to wait for another
  /// process. That wait must not block the caller's thread.
  private func atOnce<Value>(
    _ connection: Connection, of pool: ConnectionPool, _ run: (Connection) throws -> Value
  ) throws -> Value? {
    do {
      let value = try run(connection)
      pool.giveBack(connection)
      return value
    } catch let error as SQLiteError where error.code == .busy {
      return nil
    } catch {
      pool.giveBack(connection)
      throw error
    }
  }

  /// Runs an operation that writes: on the caller's thread if short, else on the writer's queue.
  func writing<Value: Sendable>(
    isShort: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    isShort ? try await short(writer, body) : try await long(writer, body)
  }

  /// Runs an operation that may take long on the queue of a connection.
  func long<Value: Sendable>(
    _ pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    resumeIfActive()
    return try await pool.run(body)
  }

  /// Runs an operation on the caller's thread, which waits for its turn.
  ///
  /// Errors name `action`.
  func blocking<Value>(
    _ action: @autoclosure () -> String, _ body: (Connection) throws -> Value
  ) throws -> Value {
    guard !writerThread.isPresent else {
      throw SQLiteError(
        .misuse,
        "\(action()) failed: your app made the call inside a closure or an observer's handler "
          + "that has the database's writer, so it would wait forever; make it before, or in a "
          + "task of its own.")
    }
    resumeIfActive()
    let connection = try writer.takeBlocking()
    defer { writer.giveBack(connection) }
    return try connection.running(body)
  }

  /// Notifies the observers of all tables of an unknown change.
  func tellUnknown(version: UInt64) {
    for table in tables.withLock(\.all) { table.tellUnknown(version: version) }
  }
}
