extension Criteria {
  /// The tag of long criteria, made when it is first asked for, and shared by copies.
  ///
  /// Each call, cache and state asks for it, and to sort and write ten thousand values takes
  /// milliseconds. Short criteria keep nothing: to allocate an object for each would cost more than
  /// to make their tags (`find, async`). It takes no part in whether criteria are equal.
  struct KeptTag: Sendable, Hashable, Unprinted {
    /// From how many values or parts on the tag is kept.
    private static let longCount = 16

    private let tag: Lock<String?>?

    /// Creates a tag that is not made yet, for criteria with this predicate.
    init(for predicate: Predicate?) {
      tag = predicate?.isLong(Self.longCount, upTo: Criteria.mostLevels) == true ? Lock(nil) : nil
    }

    private init(_ tag: Lock<String?>?) {
      self.tag = tag
    }

    /// A tag that is not made yet, for other criteria with the same predicate.
    var renewed: KeptTag { KeptTag(tag.map { _ in Lock(nil) }) }

    /// Whether it was made and is kept.
    var isMade: Bool { tag?.withLock { $0 } != nil }

    /// Returns the tag, and makes it if it was not kept.
    func text(_ make: () -> String) -> String {
      guard let tag else { return make() }
      if let made = tag.withLock({ $0 }) { return made }
      let made = make()
      tag.withLock { $0 = made }
      return made
    }

    static func == (left: KeptTag, right: KeptTag) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}

extension Criteria.Predicate {
  /// Whether the predicate has a list of so many values or parts, down to a number of levels.
  fileprivate func isLong(_ count: Int, upTo most: Int) -> Bool {
    guard most > 0 else { return false }
    switch self {
    case .isIn(_, let values): return values.count >= count
    case .all(let parts), .any(let parts):
      return parts.count >= count || parts.contains { $0.isLong(count, upTo: most - 1) }
    case .not(let part): return part.isLong(count, upTo: most - 1)
    case .comparison, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter:
      return false
    }
  }
}
