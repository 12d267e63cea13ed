extension Array {
  /// Calls `body` with each element, and ends when the task was cancelled.
  func inSteps(
    _ connection: Connection, _ body: (Element) throws -> Void
  ) throws {
    var index = 0
    // By index, because an iterator of generic elements asks for their types at each of them.
    while index < count {
      // SQLite forgets an interruption between two statements, so it is asked for now and then.
      if index & 127 == 127 { try connection.checkCancellation() }
      try body(self[index])
      index += 1
    }
  }

  /// Calls `body` with as many elements at a time as it wants, and ends when the task was cancelled.
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
