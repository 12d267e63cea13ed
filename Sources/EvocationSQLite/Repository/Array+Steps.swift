extension Array {
  /// Calls `body` with each element, and ends when the task was cancelled.
  func inSteps(_ connection: Connection, _ body: (Element) throws -> Void) throws {
    // SQLite forgets an interruption between two statements, so it is asked for now and then.
    try inBatches(of: 128, connection) { for element in $0 { try body(element) } }
  }

  /// Calls `body` with as many elements at a time as it wants, and ends when the task was cancelled.
  func inBatches(
    of size: Int, _ connection: Connection, _ body: (ArraySlice<Element>) throws -> Void
  ) throws {
    for start in stride(from: 0, to: count, by: size) {
      try connection.checkCancellation()
      try body(self[start..<Swift.min(start + size, count)])
    }
  }
}

extension Collection where Element: Identifiable {
  /// The ids, where they are whole numbers and each is greater than the one before; nil otherwise.
  var increasingIDs: [Int64]? {
    guard Element.ID.self == Int64.self || Element.ID.self == Int.self else { return nil }
    // One cast for all of them: of arrays it is free where the type is the same.
    let ids = map(\.id)
    guard let numbers = ids as? [Int64] ?? (ids as? [Int])?.map(Int64.init),
      zip(numbers, numbers.dropFirst()).allSatisfy(<)
    else { return nil }
    return numbers
  }
}
