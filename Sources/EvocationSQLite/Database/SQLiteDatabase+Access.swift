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
    try await reading { connection in
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
    try await transaction { scope in
      let connection = scope.connection
      let before = connection.totalChanges
      let value = try connection.keepingLists { try body(SQLiteAccess(connection, mayWrite: true)) }
      scope.isUnknown = connection.totalChanges != before
      return value
    }.value
  }

  /// Runs a read: on the caller's thread if it is short, which means bounded by a key, or else on a
  /// reader's queue.
  func reading<Value: Sendable>(
    isShort: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    if isShort {
      try Task.checkCancellation()
      if let value = try readingNow(body) { return value }
    }
    resumeIfActive()
    return try await reader.run(body)
  }

  /// Runs a write: on the caller's thread if it is short, or else on the writer's queue.
  func writing<Value: Sendable>(
    isShort: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try checkWritable()
    if isShort {
      try Task.checkCancellation()
      if let value = try now(writer, body) { return value }
    }
    resumeIfActive()
    return try await writer.run(body)
  }

  /// Throws if the database only reads its file.
  func checkWritable() throws {
    if isReadOnly { throw SQLiteError.onlyRead(fileName) }
  }

  /// Runs a short read on the caller's thread; returns nil, and reads nothing, if that would wait.
  @inline(__always)
  func readingNow<Value>(_ body: (Connection) throws -> Value) throws -> Value? {
    mover?.recordRead()
    return try now(reader, body)
  }

  /// Runs a short operation on the caller's thread; returns nil, and does nothing, if it would have
  /// to wait for another operation, or for another process.
  @inline(__always)
  func now<Value>(
    _ pool: ConnectionPool, _ body: (Connection) throws -> Value
  ) throws -> Value? {
    // Opening another connection takes long, so that happens on a queue of the pool.
    guard !leavesThisThread, let connection = pool.takeIdle() else { return nil }
    defer { pool.giveBack(connection) }
    if connection.hasLongestLog { return nil }
    do {
      return try connection.runWithoutWaiting(body)
    } catch let error as SQLiteError where error.code == .busy {
      return nil
    }
  }

  /// Whether the caller is on the main thread, and the app keeps database calls away from it.
  private var leavesThisThread: Bool { leavesMainThread && MainThread.isCurrent }

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

  /// Notifies the observers of tables that triggers and foreign keys changed of an unknown change.
  func tellUnknown(_ changed: ChangedTables, version: UInt64) {
    guard let names = changed.names else { return tellUnknown(version: version) }
    let owners = tables.withLock { $0.known(names) }
    for owner in owners { owner.tellUnknown(version: version) }
  }
}
