extension Criteria {
  /// The greatest number of nested levels of `&&`, `||` and `!`.
  ///
  /// Code that processes criteria calls itself once for each level, on threads whose stacks may be
  /// small.
  package static let mostLevels = 400

  /// The greatest number of levels in coded criteria, because JSON allows 512 nested objects and
  /// arrays.
  static let mostCodedLevels = 200

  /// Refuses criteria that nest more deeply than every repository allows.
  ///
  /// - Throws: ``EvocationError/nestedTooDeeply(most:)``.
  package func checkLevels() throws(EvocationError) {
    guard levels <= Self.mostLevels else { throw .nestedTooDeeply(most: Self.mostLevels) }
  }
}

extension Criteria.Predicate {
  /// The number of nested levels of joins, or one more than the greatest number allowed.
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
