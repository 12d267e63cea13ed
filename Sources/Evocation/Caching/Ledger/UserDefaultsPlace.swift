/// What stands for a suite and a prefix of its keys in this process: one object for each of them.
final class UserDefaultsPlace: Sendable {
  private struct Key: Hashable {
    let suite: String?
    let prefix: String
  }

  private static let places = Lock<[Key: UserDefaultsPlace]>([:])

  /// The place of a suite, or of the standard one; always the same object.
  static func of(suite: String?, prefix: String) -> UserDefaultsPlace {
    places.withLock { places in
      let key = Key(suite: suite, prefix: prefix)
      let place = places[key] ?? UserDefaultsPlace()
      places[key] = place
      return place
    }
  }
}
