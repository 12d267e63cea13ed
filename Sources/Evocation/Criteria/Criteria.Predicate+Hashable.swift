extension Criteria.Predicate: Hashable {
  /// Whether both match the same models by the same terms, in any order; text is compared by bytes.
  ///
  /// The order of the parts of *and* and *or*, and of the values of a list, does not matter.
  /// Neither does a value that is in a list twice.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left.joined, right.joined) {
    case (nil, nil): return left.isSameTerm(as: right)
    case (let left?, let right?) where left.join == right.join: break
    case (_?, _?), (nil, _?), (_?, nil): return false
    }
    var numbers = Numbers()
    return numbers.number(of: left) == numbers.number(of: right)
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    guard joined != nil else { return hashTerm(into: &hasher) }
    let hash: Int = folded { term, _ in
      var hasher = Hasher()
      term.hashTerm(into: &hasher)
      return hasher.finalize()
    } _: { join, parts, _ in
      var hasher = Hasher()
      hasher.combine(join)
      // A sum, because the order of the parts does not matter.
      hasher.combine(parts.reduce(parts.count, &+))
      return hasher.finalize()
    }
    hasher.combine(hash)
  }

  /// Numbers for predicates, the same for equal predicates.
  ///
  /// Joins are compared by the numbers of their parts, so that no depth of joins can overflow the
  /// stack.
  private struct Numbers {
    private struct Term: Hashable {
      let predicate: Criteria.Predicate

      static func == (left: Term, right: Term) -> Bool {
        left.predicate.isSameTerm(as: right.predicate)
      }

      func hash(into hasher: inout Hasher) { predicate.hashTerm(into: &hasher) }
    }

    private struct Joined: Hashable {
      let join: Join
      let parts: [Int]
    }

    private var terms: [Term: Int] = [:]
    private var joins: [Joined: Int] = [:]

    mutating func number(of predicate: Criteria.Predicate) -> Int {
      predicate.folded { term, _ in
        let next = terms.count + joins.count
        return Self.number(of: Term(predicate: term), in: &terms, else: next)
      } _: { join, parts, _ in
        let next = terms.count + joins.count
        return Self.number(of: Joined(join: join, parts: parts.sorted()), in: &joins, else: next)
      }
    }

    private static func number<Key>(of key: Key, in known: inout [Key: Int], else next: Int) -> Int
    {
      if let number = known[key] { return number }
      known[key] = next
      return next
    }
  }

  private func isSameTerm(as other: Self) -> Bool {
    switch (self, other) {
    case (.comparison(let key, let how, let value), .comparison(let key2, let how2, let value2)):
      key == key2 && how == how2 && value == value2
    case (.isIn(let key, let values), .isIn(let key2, let values2)):
      key == key2 && (values == values2 || Set(values) == Set(values2))
    case (.between(let key, let lower, let upper), .between(let key2, let lower2, let upper2)):
      key == key2 && lower == lower2 && upper == upper2
    case (.isNull(let key), .isNull(let key2)): key == key2
    case (.hasPrefix(let key, let prefix), .hasPrefix(let key2, let prefix2)):
      key == key2 && prefix.hasSameBytes(as: prefix2)
    case (.contains(let key, let value), .contains(let key2, let value2)):
      key == key2 && value == value2
    case (.comparison, _), (.isIn, _), (.between, _), (.isNull, _), (.hasPrefix, _), (.contains, _),
      (.all, _), (.any, _), (.not, _):
      false
    }
  }

  private func hashTerm(into hasher: inout Hasher) {
    switch self {
    case .comparison(let key, let comparison, let operand):
      hasher.combine(key)
      hasher.combine(comparison)
      hasher.combine(operand)
    case .isIn(let key, let values):
      hasher.combine(key)
      hasher.combine(Set(values))
    case .between(let key, let lower, let upper):
      hasher.combine(key)
      hasher.combine(lower)
      hasher.combine(upper)
    case .isNull(let key): hasher.combine(key)
    case .hasPrefix(let key, let prefix):
      hasher.combine(key)
      hasher.combine(utf8: prefix)
    case .contains(let key, let operand):
      hasher.combine(key)
      hasher.combine(operand)
    case .all, .any, .not: break
    }
  }
}
