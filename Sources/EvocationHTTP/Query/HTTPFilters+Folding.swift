import Evocation

extension HTTPFilters {
  /// Returns the same conditions, with two on one property joined if one operator can express both.
  func folded(_ predicate: Conditions) throws -> Conditions {
    var parts: [Conditions] = []
    for part in predicate.conjuncts {
      var next = [part]
      if case .condition(let new) = part {
        for (index, known) in parts.enumerated() {
          guard case .condition(let old) = known, old.key == new.key,
            old.options == new.options,
            let both = try joined(old, new)
          else { continue }
          parts.remove(at: index)
          next = both.map(Conditions.condition)
          break
        }
      }
      parts += next
    }
    return .joined(true, parts)
  }

  /// Returns the conditions that express two conditions on one property; nil if they stay separate.
  ///
  /// - Of two bounds, the narrower one remains.
  /// - Values that the property must not have are joined to one list.
  /// - If several lists must contain the value, their common values remain. If there are none, an
  ///   equality and a list that exclude each other remain.
  private func joined(_ old: Condition, _ new: Condition) throws -> [Condition]? {
    guard old.options.isEmpty else {
      return old.operation == new.operation && old.pairs.elementsEqual(new.pairs, by: isSame)
        ? [old] : nil
    }
    switch (old.operation, new.operation) {
    case (.greater, .greater), (.greaterOrEqual, .greaterOrEqual):
      return [try old.order(new) == .less ? new : old]
    case (.less, .less), (.lessOrEqual, .lessOrEqual):
      return [try old.order(new) == .greater ? new : old]
    case (.equal, .equal), (.equal, .isIn), (.isIn, .equal), (.isIn, .isIn):
      let common = old.pairs.filter { pair in new.pairs.contains { isSame($0, pair) } }
      if let one = worded(old, .equal, several: .isIn, pairs: common) { return [one] }
      guard let first = old.pairs.first, let equal = operators[.equal], let list = operators[.isIn]
      else { return nil }
      return [old.with(.equal, equal, pairs: [first]), new.with(.isIn, list, pairs: new.pairs)]
    case (.notEqual, .notEqual), (.notEqual, .isNotIn), (.isNotIn, .notEqual),
      (.isNotIn, .isNotIn):
      let more = new.pairs.filter { pair in !old.pairs.contains { isSame($0, pair) } }
      return worded(old, .notEqual, several: .isNotIn, pairs: old.pairs + more).map { [$0] }
    case (let one, let other):
      return one == other && old.pairs.elementsEqual(new.pairs, by: isSame) ? [old] : nil
    }
  }

  /// Returns a condition with one value or several; nil for no values, or if the service has no operator.
  private func worded(
    _ condition: Condition, _ one: Operator, several: Operator,
    pairs: [(Criteria.Scalar, String)]
  ) -> Condition? {
    let distinct = pairs.enumerated().filter { index, pair in
      !pairs[..<index].contains { isSame($0, pair) }
    }
    let operation = distinct.count == 1 && operators[one] != nil ? one : several
    guard !distinct.isEmpty, let word = operators[operation] else { return nil }
    return condition.with(operation, word, pairs: distinct.map(\.element))
  }

  private func isSame(
    _ one: (Criteria.Scalar, String), _ other: (Criteria.Scalar, String)
  ) -> Bool {
    one.1.utf8.elementsEqual(other.1.utf8) && one.0.isNumber == other.0.isNumber
  }
}

extension HTTPFilters.Condition {
  fileprivate var pairs: [(Criteria.Scalar, String)] { Array(zip(values, texts)) }

  /// Returns the order of the values of two bounds.
  fileprivate func order(_ other: Self) throws -> ScalarOrder {
    guard let left = values.first, let right = other.values.first,
      left.isNumber == right.isNumber, left.isNumber || left.kind == right.kind
    else { throw unsupported("cannot compare \"\(key)\" with values of two kinds") }
    return .of(left, right)
  }
}
