internal import Evocation

extension ModelTable {
  /// Creates the error for a row that was not written although no other row prevents it.
  func leftOut(_ connection: Connection) -> SQLiteError {
    SQLiteError(
      .constraint,
      "Writing the table \(plan.table.quoted) in \(connection.file) failed: a trigger of the table "
        + "skipped a model with RAISE(IGNORE); let it pass, or say why not with RAISE(ABORT, …).")
  }

  /// Writes models with statements of many rows, and the rest one by one; returns how many it
  /// wrote.
  ///
  /// `each` runs the closure, which writes a single model, and may go on after it throws.
  func write(
    _ models: [Model], _ one: String, many: @autoclosure () -> String, connection: Connection,
    each: (Model, () throws -> Void) throws -> Void
  ) throws -> Int {
    var count: Int64 = 0
    let size = plan.batchSize
    let single = try writer(one, connection)
    let batch = models.count < size ? nil : try writer(many(), connection)
    try models.inBatches(of: size, connection) { models in
      do {
        if let batch, models.count == size { return count += try batch.write(models) }
      } catch let error as SQLiteError where connection.canGoOn(after: error) {
        // SQLite wrote none of them, and most of them can be written one by one.
      }
      for model in models {
        try each(model) { if try single.write(model) { count += 1 } }
      }
    }
    return Int(count)
  }

  /// Returns one model per id: at the position of the first with this id, with the value of the
  /// last.
  func lastOfEach(_ models: [Model]) -> [Model] {
    guard models.count > 1, models[...].increasingIDs == nil,
      Set(models.map(\.id)).count < models.count
    else { return models }
    return models.lastOfEach(by: id)
  }
}

extension Array {
  /// Calls `body` with each element, and throws if the task was canceled.
  func inSteps(
    _ connection: Connection, _ body: (Element) throws -> Void
  ) throws {
    // SQLite forgets an interruption between two statements, so this checks regularly.
    try inBatches(of: 128, connection) { elements in
      // An iterator of generic elements looks up their types for each of them.
      for index in elements.indices { try body(elements[index]) }
    }
  }

  /// Calls `body` with up to `size` elements at a time, and throws if the task was canceled.
  func inBatches(
    of size: Int, _ connection: Connection, _ body: (ArraySlice<Element>) throws -> Void
  ) throws {
    var start = 0
    while start < count {
      try connection.checkCancellation()
      let end = Swift.min(start + size, count)
      try body(self[start..<end])
      start = end
    }
  }
}
