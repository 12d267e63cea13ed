extension WriteSerializer {
  /// A position to take in a line: on instances, or alone if it has none.
  struct Place: Sendable {
    let line: WriteSerializer
    var instances: [ModelID]?
  }

  /// How often it releases its lines and tries again, if another task in a line waits for one of
  /// them.
  private static var mostTries: Int { 8 }

  /// Waits for its turn in several lines, which it takes one after another, and then runs the body.
  ///
  /// All callers must take their lines in the same order.
  ///
  /// - Throws: The errors of ``turn(_:)`` and of the body.
  static func run<Value: Sendable>(
    _ places: [Place], _ body: () async throws -> Value
  ) async throws -> Value {
    var reason: EvocationError?
    for _ in 0..<mostTries {
      do {
        return try await take(places[...], body).get()
      } catch let error as EvocationError where error == .nestedWrite {
        reason = error
      }
    }
    throw reason ?? EvocationError.nestedWrite(model: places.first?.line.name ?? "")
  }

  /// Separates the errors of the body from those of waiting.
  private static func take<Value: Sendable>(
    _ places: ArraySlice<Place>, _ body: () async throws -> Value
  ) async throws -> Result<Value, any Error> {
    guard let place = places.first else {
      do { return .success(try await body()) } catch { return .failure(error) }
    }
    let ticket = place.instances.map { place.line.enter(on: $0) } ?? place.line.enter()
    return try await place.line.run(ticket) { try await take(places.dropFirst(), body) }
  }
}
