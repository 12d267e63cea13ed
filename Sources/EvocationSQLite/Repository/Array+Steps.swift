extension Array {
  /// Calls `body` with each element, and ends when the task was cancelled.
  func inSteps(
    _ connection: Connection, _ body: (Element) throws -> Void
  ) throws {
    for (index, element) in enumerated() {
      // SQLite forgets an interruption between two statements, so it is asked for now and then.
      if index & 127 == 127 { try connection.checkCancellation() }
      try body(element)
    }
  }
}
