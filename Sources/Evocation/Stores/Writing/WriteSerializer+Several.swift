extension WriteSerializer {
  /// A position to take in a line: on instances, or alone if it has none.
  package struct Place: Sendable {
    package let line: WriteSerializer
    package var instances: [ModelID]?

    package init(line: WriteSerializer, instances: [ModelID]? = nil) {
      self.line = line
      self.instances = instances
    }
  }

  /// Waits for its turn in several lines, which it takes one after another, and then runs the body.
  ///
  /// All callers must take their lines in the same order. If a call that has a turn in any line
  /// waits for one of these, the task releases all of them, and begins again behind that call.
  ///
  /// - Throws: `CancellationError` if the task is canceled before, and errors of the body.
  package static func run<Value: Sendable>(
    _ places: [Place], _ body: () async throws -> Value
  ) async throws -> Value {
    let isNested = !around.isEmpty
    while true {
      let value = try await take(places[...], having: [], isNested: isNested, body)
      if let value { return value }
    }
  }

  private static func take<Value: Sendable>(
    _ places: ArraySlice<Place>, having lines: [WriteSerializer], isNested: Bool,
    _ body: () async throws -> Value
  ) async throws -> Value? {
    guard let place = places.first else { return try await body() }
    let line = place.line
    let ticket = place.instances.map { line.enter(on: $0) } ?? line.enter()
    defer { line.leave(ticket) }
    guard try await line.turn(ticket, having: lines, isNested: isNested) else { return nil }
    return try await line.inScope {
      try await take(
        places.dropFirst(), having: lines + [line], isNested: isNested, body)
    }
  }
}
