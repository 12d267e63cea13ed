extension Criteria.Predicate {
  /// How predicates are joined.
  package enum Join: Sendable { case all, any, not }

  /// A join while the values of its parts are computed.
  private struct Open<Value> {
    let join: Join
    var rest: ArraySlice<Criteria.Predicate>
    var values: [Value] = []
  }

  /// The kind of join and its parts; nil for a single term.
  package var joined: (join: Join, parts: [Criteria.Predicate])? {
    switch self {
    case .all(let parts): (.all, parts)
    case .any(let parts): (.any, parts)
    case .not(let part): (.not, [part])
    case .comparison, .isIn, .between, .isNull, .hasPrefix, .contains: nil
    }
  }

  /// Computes a value from the single terms outward.
  ///
  /// The last argument of both closures says whether an odd number of negations surrounds the
  /// predicate. The function does not call itself, so that no depth of joins can overflow the
  /// stack.
  package func folded<Value, Failure: Error>(
    _ term: (Criteria.Predicate, Bool) throws(Failure) -> Value,
    _ join: (Join, [Value], Bool) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard joined != nil else { return try term(self, false) }
    var open: [Open<Value>] = []
    var next = self
    var isNegated = false
    while true {
      var value: Value?
      if let (join, parts) = next.joined {
        open.append(Open(join: join, rest: parts[...]))
        if join == .not { isNegated.toggle() }
      } else {
        value = try term(next, isNegated)
      }
      while let last = open.indices.last {
        if let known = value { open[last].values.append(known) }
        value = nil
        if let part = open[last].rest.popFirst() {
          next = part
          break
        }
        if open[last].join == .not { isNegated.toggle() }
        value = try join(open[last].join, open[last].values, isNegated)
        open.removeLast()
      }
      if open.isEmpty, let value { return value }
    }
  }
}
