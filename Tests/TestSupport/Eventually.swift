/// What a test waited for in vain.
package struct NeverCame: Error, CustomStringConvertible {
  package let description: String
}

/// Waits until something holds that nobody tells of.
///
/// It ends when its task is cancelled, as by a test's time limit, and throws what it waited for when
/// that has not come within a minute, however busy the machine is.
package func eventually(_ what: String, _ holds: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while try await !holds() {
    try Task.checkCancellation()
    guard ContinuousClock.now < end else {
      throw NeverCame(description: "It did not come within a minute: \(what).")
    }
    await Task.yield()
  }
}
