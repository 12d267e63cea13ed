/// Removes everything that an `Evocation` has stored for a user.
///
/// It takes its turn in all lines of writes at the same time. So the app writes nothing while it
/// empties, and models that were fetched before are not saved afterward.
struct SignOut: Sendable {
  let environment: Environment
  let registry: Registry
  let outbox: Outbox
  let unsent: Outbox.UnsentWrites

  func run() async throws {
    let line = environment.signOutLine
    guard !WriteScope.isInside(line) else {
      throw EvocationError.nestedSignOut(model: line.name)
    }
    try await line.run(line.enter()) { try await hold() }
  }

  /// Takes its turn in all lines, and then empties.
  ///
  /// The lines of caches come first, because a save of a cache waits for the line of its models.
  private func hold() async throws {
    let proxies = proxies
    let caches = environment.caches(of: proxies).map(\.line)
    let lines = caches + proxies.map(\.line)
    for line in lines where WriteScope.isInside(line) {
      throw EvocationError.nestedSignOut(model: line.name)
    }
    try await WriteSerializer.run(lines) {
      if unsent == .block { try await outbox.checkIsEmpty() }
      try Task.checkCancellation()
      // From here on, no cancellation stops it halfway.
      try await Task { try await Emptying(self, proxies).run() }.value
    }
  }

  /// The proxies, always in the same order.
  private var proxies: [any AnyProxy] {
    registry.all.sorted { $0.tagPrefix < $1.tagPrefix }
  }
}
