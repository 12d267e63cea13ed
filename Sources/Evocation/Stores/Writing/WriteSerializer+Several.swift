extension WriteSerializer {
  /// Waits for its turn in several lines, which it takes one after another, and then runs the body.
  ///
  /// All callers must take their lines in the same order. If a call that has a turn in any line
  /// waits for one of these, the task releases all of them, and begins again behind that call.
  ///
  /// - Throws: `CancellationError` if the task is canceled before, and errors of the body.
  package static func run<Value: Sendable>(
    _ lines: [WriteSerializer], _ body: () async throws -> Value
  ) async throws -> Value {
    let isNested = !around.isEmpty
    while true {
      let value = try await take(lines[...], having: [], isNested: isNested, body)
      if let value { return value }
    }
  }

  private static func take<Value: Sendable>(
    _ lines: ArraySlice<WriteSerializer>, having held: [WriteSerializer], isNested: Bool,
    _ body: () async throws -> Value
  ) async throws -> Value? {
    guard let line = lines.first else { return try await body() }
    let ticket = line.enter()
    defer { line.leave(ticket) }
    guard try await line.turn(ticket, having: held, isNested: isNested) else { return nil }
    return try await line.inScope {
      try await take(
        lines.dropFirst(), having: held + [line], isNested: isNested, body)
    }
  }
}
