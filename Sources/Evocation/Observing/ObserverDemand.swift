/// What a model must at least have for anybody's criteria to hold: a value, or one within bounds.
enum ObserverDemand: Hashable {
  /// The key has this value.
  case value(Criteria.Key, ModelID)
  /// The key has a value that is neither before the first bound nor after the second.
  case range(Criteria.Key, Criteria.Scalar?, Criteria.Scalar?)

  /// More members than these are looked for between the least and the greatest of them.
  private static let mostMembers = 256

  /// Demands one of which every model satisfies that matches; nil when there are none to give.
  ///
  /// They may let more models through than match, and never fewer.
  static func demands(of predicate: Criteria.Predicate) -> Set<ObserverDemand>? {
    predicate.folded { term, _ in
      demands(ofTerm: term)
    } _: { join, parts, _ in
      switch join {
      case .all: tightest(parts.compactMap(\.self))
      case .any: union(parts)
      case .not: nil
      }
    }
  }

  private static func demands(ofTerm predicate: Criteria.Predicate) -> Set<ObserverDemand>? {
    switch predicate {
    case .comparison(let key, let comparison, let operand):
      demands(key, comparison, operand.value)
    case .isIn(let key, let values): members(key, values)
    case .between(let key, let lower, let upper): range(key, lower, upper)
    case .isNull(let key): [.value(key, ModelID([.null]))]
    case .hasPrefix(let key, let prefix):
      [.range(key, .text(prefix), prefix.afterAllWithPrefix.map { .text($0) })]
    case .contains, .all, .any, .not: nil
    }
  }

  private static func demands(
    _ key: Criteria.Key, _ comparison: Criteria.Comparison, _ value: Criteria.Scalar
  ) -> Set<ObserverDemand>? {
    switch comparison {
    case .equal: [.value(key, ModelID([value]))]
    case .notEqual: nil
    // Nothing stands before or after null.
    case .less, .lessOrEqual: value == .null ? [] : [.range(key, nil, value)]
    case .greater, .greaterOrEqual: value == .null ? [] : [.range(key, value, nil)]
    }
  }

  private static func members(
    _ key: Criteria.Key, _ values: [Criteria.Scalar]
  ) -> Set<ObserverDemand> {
    let ids = Set(values.map { ModelID([$0]) })
    // Null is in no range, so it is asked for by itself.
    let known = ids.filter { $0.scalars != [.null] }
    guard known.count > mostMembers else { return Set(ids.map { .value(key, $0) }) }
    var demands = range(
      key, known.min()?.scalars.first ?? .null, known.max()?.scalars.first ?? .null)
    if known.count < ids.count { demands.insert(.value(key, ModelID([.null]))) }
    return demands
  }

  private static func range(
    _ key: Criteria.Key, _ lower: Criteria.Scalar, _ upper: Criteria.Scalar
  ) -> Set<ObserverDemand> {
    let isEmpty = lower == .null || upper == .null || ScalarOrder.of(lower, upper) == .greater
    return isEmpty ? [] : [.range(key, lower, upper)]
  }

  /// All parts must hold, so the demands of any one of them do: those that let the fewest through.
  private static func tightest(_ demands: [Set<ObserverDemand>]) -> Set<ObserverDemand>? {
    var bounds: [Criteria.Key: ObserverDemand] = [:]
    for case .range(let key, let lower, let upper) in demands.compactMap(\.onlyElement) {
      guard case .range(_, let least, let most) = bounds[key] else {
        bounds[key] = .range(key, lower, upper)
        continue
      }
      let joined = (later(least, lower), earlier(most, upper))
      bounds[key] = .range(key, joined.0, joined.1)
    }
    return (demands + bounds.values.map { [$0] }).min { breadth($0) < breadth($1) }
  }

  private static func union(_ parts: [Set<ObserverDemand>?]) -> Set<ObserverDemand>? {
    var union: Set<ObserverDemand> = []
    for demands in parts {
      guard let demands else { return nil }
      union.formUnion(demands)
    }
    return union
  }

  private static func breadth(_ demands: Set<ObserverDemand>) -> Int {
    demands.reduce(0) { sum, demand in
      switch demand {
      case .value: sum + 1
      case .range(_, .some, .some): sum + 1_000
      case .range: sum + 1_000_000
      }
    }
  }

  private static func later(
    _ left: Criteria.Scalar?, _ right: Criteria.Scalar?
  ) -> Criteria.Scalar? {
    guard let left, let right else { return left ?? right }
    return ScalarOrder.of(left, right) == .less ? right : left
  }

  private static func earlier(
    _ left: Criteria.Scalar?, _ right: Criteria.Scalar?
  ) -> Criteria.Scalar? {
    guard let left, let right else { return left ?? right }
    return ScalarOrder.of(left, right) == .less ? left : right
  }
}

extension ObserverDemand {
  /// Where a range begins and ends; nil where it does not.
  typealias Bounds = (lower: Criteria.Scalar?, upper: Criteria.Scalar?)

  /// What is demanded of one key.
  struct OfKey {
    var values: [ModelID] = []
    var ranges: [Bounds] = []
  }

  /// The demands by the keys that they concern.
  static func byKey(_ demands: Set<ObserverDemand>) -> [Criteria.Key: OfKey] {
    demands.reduce(into: [:]) { keys, demand in
      switch demand {
      case .value(let key, let id): keys[key, default: OfKey()].values.append(id)
      case .range(let key, let lower, let upper):
        keys[key, default: OfKey()].ranges.append((lower, upper))
      }
    }
  }
}

extension Set {
  fileprivate var onlyElement: Element? { count == 1 ? first : nil }
}

extension String {
  /// The least text that is after all that begin with this one; nil when there is none.
  fileprivate var afterAllWithPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Between the two lie the surrogates, which text does not hold.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
