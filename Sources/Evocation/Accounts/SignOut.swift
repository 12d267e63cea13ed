/// Empties everything that an `Evocation` knows of a user.
///
/// It stands in every line of writes at once, so that nothing is written while it empties, and what was
/// fetched before lands nowhere after it.
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

  /// Takes the lines, and empties when it has all.
  ///
  /// Those of caches come first, because a save of a cache waits for the line of its models.
  private func hold() async throws {
    let proxies = proxies
    let caches = caches(of: proxies).map(\.line)
    let lines = caches + proxies.map(\.line)
    for line in lines where WriteScope.isInside(line) {
      throw EvocationError.nestedSignOut(model: line.name)
    }
    try await WriteSerializer.run(lines.map { WriteSerializer.Place(line: $0) }) {
      if unsent == .block { try await outbox.checkIsEmpty() }
      try Task.checkCancellation()
      // From here on it is not given up half-way, whoever cancels.
      try await Task { try await Emptying(self, proxies).run() }.value
    }
  }

  /// The proxies, always in the same order.
  private var proxies: [any SignedOutProxy] {
    registry.all.compactMap { $0 as? any SignedOutProxy }.sorted { $0.tagPrefix < $1.tagPrefix }
  }

  /// The caches in use whose ledgers are emptied.
  func caches(of proxies: [any SignedOutProxy]) -> [any SignedOutCache] {
    ledgers(of: proxies).flatMap { ledger in
      CacheRegistry.of(ledger).entries.sorted { $0.tag < $1.tag }
        .compactMap { $0 as? any SignedOutCache }
    }
  }

  /// The configuration's ledger, and those of the local repositories, each once.
  func ledgers(of proxies: [any SignedOutProxy]) -> [any FetchLedger] {
    var seen: Set<ObjectIdentifier> = []
    return ([environment.ledger] + proxies.map(\.ledger)).filter {
      seen.insert($0.identity).inserted
    }
  }
}
