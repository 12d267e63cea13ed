extension Criteria.Predicate {
  /// How predicates are joined.
  package enum Join: Sendable {
    case all, any, not

    /// Returns the parts, joined in this way.
    package func of(_ parts: [Criteria.Predicate]) -> Criteria.Predicate {
      switch self {
      case .all: .all(parts)
      case .any: .any(parts)
      case .not: .not(parts[0])
      }
    }
  }

  /// The kind of join and its parts; nil for a single term.
  private var joined: (join: Join, parts: [Criteria.Predicate])? {
    switch self {
    case .all(let parts): (.all, parts)
    case .any(let parts): (.any, parts)
    case .not(let part): (.not, [part])
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter:
      nil
    }
  }

  /// Computes a value from the single terms outward.
  ///
  /// The last argument of both closures says whether an odd number of negations surrounds the
  /// predicate. Each level of joins takes one frame of the stack.
  package func folded<Value, Failure: Error>(
    isNegated: Bool = false,
    _ term: (Criteria.Predicate, Bool) throws(Failure) -> Value,
    _ join: (Join, [Value], Bool) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let (kind, parts) = joined else { return try term(self, isNegated) }
    var values: [Value] = []
    for part in parts {
      values.append(try part.folded(isNegated: isNegated != (kind == .not), term, join))
    }
    return try join(kind, values, isNegated)
  }

  /// The keys that the predicate compares, as often as it compares them.
  package var keys: [Criteria.Key] {
    folded { term, _ in
      switch term {
      case .comparison(let key, _, _), .isIn(let key, _), .between(let key, _, _),
        .isNull(let key), .hasPrefix(let key, _), .contains(let key, _),
        .text(let key, _, _, _):
        [key]
      case .matching, .parameter, .all, .any, .not: []
      }
    } _: { _, parts, _ in
      parts.flatMap(\.self)
    }
  }
}
