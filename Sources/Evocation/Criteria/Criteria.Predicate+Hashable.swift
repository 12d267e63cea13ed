extension Criteria.Predicate: Hashable {
  /// Whether both ask the same, in the same order; text is the same when its bytes are.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.joined != nil, right.joined != nil else { return left.isSameTerm(as: right) }
    var open = [(left, right)]
    while let (left, right) = open.popLast() {
      guard let (join, parts) = left.joined, let (otherJoin, otherParts) = right.joined else {
        guard left.isSameTerm(as: right) else { return false }
        continue
      }
      guard join == otherJoin, parts.count == otherParts.count else { return false }
      open += zip(parts, otherParts)
    }
    return true
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    guard joined != nil else { return hashTerm(into: &hasher) }
    var open = [self]
    while let predicate = open.popLast() {
      guard let (join, parts) = predicate.joined else {
        predicate.hashTerm(into: &hasher)
        continue
      }
      hasher.combine(join)
      hasher.combine(parts.count)
      open += parts
    }
  }

  private func isSameTerm(as other: Self) -> Bool {
    switch (self, other) {
    case (.comparison(let key, let how, let value), .comparison(let key2, let how2, let value2)):
      key == key2 && how == how2 && value == value2
    case (.isIn(let key, let values), .isIn(let key2, let values2)):
      key == key2 && values == values2
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
      hasher.combine(values)
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
