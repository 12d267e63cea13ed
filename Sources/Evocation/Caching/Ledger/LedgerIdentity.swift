/// What stands for a suite and a prefix of its keys in this process: one object for each of them.
final class LedgerIdentity: Sendable {
  private struct Key: Hashable {
    let suite: String?
    let prefix: String
  }

  private static let places = Lock<[Key: LedgerIdentity]>([:])

  /// The place of a suite, or of the standard one; always the same object.
  static func of(suite: String?, prefix: String) -> LedgerIdentity {
    places.withLock { places in
      let key = Key(suite: suite, prefix: prefix)
      let place = places[key] ?? LedgerIdentity()
      places[key] = place
      return place
    }
  }
}
