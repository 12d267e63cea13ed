extension WriteSerializer {
  /// A place to be taken in a line: on instances, or alone where there are none.
  struct Place: Sendable {
    let line: WriteSerializer
    var instances: [ModelID]?
  }

  /// How often it steps back where others in a line wait for a line that it has.
  private static var mostTries: Int { 8 }

  /// Waits for its turn in several lines, which it takes one after another, and runs the body then.
  ///
  /// Whoever takes several takes them in the same order.
  ///
  /// - Throws: What ``turn(_:)`` throws, and what the body does.
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

  /// What the body threw is apart from what waiting did.
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
