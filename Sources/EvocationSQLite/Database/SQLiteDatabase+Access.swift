internal import Evocation

extension SQLiteDatabase {
  /// Reads with SQL from one state of the database, whatever is written meanwhile.
  ///
  /// ```swift
  /// let names = try await database.read { db in
  ///   try db.rows("SELECT name FROM car WHERE year >= ?", [2000]).map { $0["name"] }
  /// }
  /// ```
  ///
  /// - Parameter body: Reads; it runs on a queue of the database.
  /// - Returns: What `body` returns.
  /// - Throws: ``SQLiteError``, `CancellationError`, or what `body` throws.
  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing SQLiteAccess) throws -> Value
  ) async throws -> Value {
    try await long(reader) { connection in
      try connection.snapshot { try body(SQLiteAccess($0, mayWrite: false)) }
    }
  }

  /// Writes with SQL in one transaction, which is undone when `body` throws.
  ///
  /// ```swift
  /// try await database.write { db in
  ///   try db.execute("UPDATE car SET year = ? WHERE id = ?", [2003, id])
  /// }
  /// ```
  ///
  /// The observers of every repository on this database are told of an unknown change.
  ///
  /// - Parameter body: Writes; it runs on a queue of the database.
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
        // It may have been the entries of the outbox.
        self.entryIndex.withLock { $0 = EntryIndex(isSuspect: true) }
        self.tellUnknown(version: connection.version)
      }
      return value
    }
  }

  /// Runs an operation bounded by a key: on the caller's thread, unless it would have to wait.
  func short<Value: Sendable>(
    _ pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    guard let connection = pool.takeIdle() else { return try await long(pool, body) }
    if let value = try atOnce(connection, of: pool, { try $0.runWithoutWaiting(body) }) {
      return value
    }
    return try await pool.run(on: connection, body)
  }

  /// Runs a read bounded by a key, on the caller's thread unless it would have to wait.
  ///
  /// Where only this process can commit, its transaction may be kept open for the next read.
  func shortRead<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    guard let readers else { return try await short(writer, body) }
    try Task.checkCancellation()
    // To open another one takes long, so that is done where the waiting is.
    guard let connection = readers.takeIdle() else { return try await long(readers, body) }
    let value = try atOnce(connection, of: readers) { connection in
      switch sharing {
      case .severalProcesses: try connection.runWithoutWaiting(body)
      case .oneProcess: try connection.runHolding(body)
      }
    }
    if let value { return value }
    return try await readers.run(on: connection, body)
  }

  /// Runs an operation and gives the connection back; nil, with the connection still lent, where it
  /// would have to wait for another process, which must not block the caller's thread.
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

  /// Runs an operation that writes: on the caller's thread if it is short, or on the writer's
  /// queue.
  func writing<Value: Sendable>(
    isShort: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    isShort ? try await short(writer, body) : try await long(writer, body)
  }

  /// Runs an operation that may be long on the queue of a connection.
  func long<Value: Sendable>(
    _ pool: ConnectionPool, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    resumeIfActive()
    return try await pool.run(body)
  }

  /// Runs an operation on the caller's thread, which waits for its turn; the error names `action`.
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

  /// Tells the observers of all tables that something changed.
  func tellUnknown(version: UInt64) {
    for table in tables.withLock(\.all) { table.tellUnknown(version: version) }
  }
}
