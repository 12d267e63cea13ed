extension Criteria {
  /// The greatest number of nested levels of `&&`, `||` and `!`.
  ///
  /// Code that processes criteria calls itself once for each level, on threads whose stacks may be
  /// small. So no operator makes criteria that are deeper by more than one level, and every
  /// repository refuses those that are.
  package static let mostLevels = 400

  /// The greatest number of levels in coded criteria, because JSON allows 512 nested objects and
  /// arrays.
  static let mostCodedLevels = 200

  /// Whether every repository refuses the criteria, with all that they are joined to.
  var areTooDeep: Bool { levels > Self.mostLevels }

  /// Refuses criteria that nest more deeply than every repository allows.
  ///
  /// - Throws: ``EvocationError/nestedTooDeeply(most:)``.
  package func checkLevels() throws(EvocationError) {
    guard !areTooDeep else { throw .nestedTooDeeply(most: Self.mostLevels) }
  }
}

extension Criteria.Predicate {
  /// The number of nested levels of joins, or one more than the greatest number allowed.
  var levels: Int { levels(upTo: Criteria.mostLevels + 1) }

  private func levels(upTo most: Int) -> Int {
    guard most > 0 else { return 0 }
    switch self {
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter:
      return 0
    case .not(let part): return 1 + part.levels(upTo: most - 1)
    case .all(let parts), .any(let parts):
      var deepest = 0
      for part in parts { deepest = max(deepest, part.levels(upTo: most - 1)) }
      return 1 + deepest
    }
  }
}
