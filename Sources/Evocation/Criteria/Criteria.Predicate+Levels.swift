extension Criteria {
  /// How many levels of `&&`, `||` and `!` criteria may have within each other.
  ///
  /// What works on them calls itself once for each level, on threads whose stacks may be small.
  package static let mostLevels = 400

  /// How many of them are written and read: JSON takes 512 objects and arrays within each other.
  static let mostCodedLevels = 200

  /// Refuses criteria that nest deeper than anything takes.
  ///
  /// - Throws: ``EvocationError/nestedTooDeeply(most:)``.
  package func checkLevels() throws(EvocationError) {
    guard levels <= Self.mostLevels else { throw .nestedTooDeeply(most: Self.mostLevels) }
  }
}

extension Criteria.Predicate {
  /// How many levels of joins it has within each other, or one more than the most there may be.
  var levels: Int {
    guard let (_, parts) = joined else { return 0 }
    guard parts.contains(where: { $0.joined != nil }) else { return 1 }
    var deepest = 0
    var open = [(predicate: self, level: 1)]
    while let (predicate, level) = open.popLast() {
      guard level <= Criteria.mostLevels else { return level }
      deepest = max(deepest, level)
      for part in predicate.joined?.parts ?? [] where part.joined != nil {
        open.append((part, level + 1))
      }
    }
    return deepest
  }
}
