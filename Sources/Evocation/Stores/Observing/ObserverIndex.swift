/// Finds the observers that a changed model concerns.
///
/// If an observer's criteria require one of certain values, the index finds it by these values, and
/// then matches its criteria. It matches the criteria of all other observers with every model.
struct ObserverIndex {
  typealias Number = UInt64

  private var predicates: [Number: Criteria.Predicate] = [:]
  private var keys: [Criteria.Key: [ModelID: Set<Number>]] = [:]
  private var asked: Set<Number> = []
  private var everything: Set<Number> = []

  /// The number of observers.
  var count: Int { predicates.count + everything.count }

  /// All observers.
  var all: Set<Number> { everything.union(predicates.keys) }

  /// The observers of all models.
  var unconditional: Set<Number> { everything }

  /// Adds an observer of resolved criteria.
  mutating func insert(_ number: Number, _ criteria: Criteria) {
    // What a full-text index finds, only the repository knows.
    guard let predicate = criteria.predicate, !predicate.isOpaque else {
      everything.insert(number)
      return
    }
    predicates[number] = predicate
    guard let demands = predicate.demandedValues else {
      asked.insert(number)
      return
    }
    for demand in demands {
      keys[demand.key, default: [:]][demand.value, default: []].insert(number)
    }
  }

  mutating func remove(_ number: Number) {
    everything.remove(number)
    guard let predicate = predicates.removeValue(forKey: number) else { return }
    asked.remove(number)
    for demand in predicate.demandedValues ?? [] {
      keys[demand.key]?[demand.value]?.remove(number)
      if keys[demand.key]?[demand.value]?.isEmpty == true { keys[demand.key]?[demand.value] = nil }
      if keys[demand.key]?.isEmpty == true { keys[demand.key] = nil }
    }
  }

  /// Returns the observers whose criteria a model with these fields matches.
  func observers(of fields: Fields) -> Set<Number> {
    var found = everything
    collect(fields, into: &found)
    return found
  }

  /// Adds the observers whose criteria a model with these fields matches.
  func collect(_ fields: Fields, into found: inout Set<Number>) {
    var candidates: Set<Number> = []
    for (key, values) in keys {
      if let equal = values[ModelID([fields.scalar(at: key)])] { candidates.formUnion(equal) }
    }
    for numbers in [candidates, asked] {
      for number in numbers where !found.contains(number) {
        if predicates[number]?.matches(fields) == true { found.insert(number) }
      }
    }
  }
}

/// A key, and one of the values of which a matching model must have one.
struct DemandedValue: Hashable {
  let key: Criteria.Key
  let value: ModelID
}

extension Criteria.Predicate {
  /// Values of which every matching model has one; nil if there are no such values.
  ///
  /// A model that has one of them may not match, but a model that has none never does.
  var demandedValues: Set<DemandedValue>? {
    folded { term, _ in
      Self.demandedValues(of: term)
    } _: { join, parts, _ in
      switch join {
      // All parts must hold, so the values of one part suffice: of the part with the fewest values.
      case .all: parts.compactMap(\.self).min { $0.count < $1.count }
      case .any: Self.union(parts)
      case .not: nil
      }
    }
  }

  private static func demandedValues(of term: Criteria.Predicate) -> Set<DemandedValue>? {
    switch term {
    case .comparison(let key, .equal, let operand):
      [DemandedValue(key: key, value: ModelID([operand.value]))]
    case .isNull(let key): [DemandedValue(key: key, value: ModelID([.null]))]
    case .isIn(let key, let values):
      Set(values.map { DemandedValue(key: key, value: ModelID([$0])) })
    case .comparison, .between, .hasPrefix, .contains, .text, .matching, .parameter, .all, .any,
      .not:
      nil
    }
  }

  private static func union(_ parts: [Set<DemandedValue>?]) -> Set<DemandedValue>? {
    var union: Set<DemandedValue> = []
    for values in parts {
      guard let values else { return nil }
      union.formUnion(values)
    }
    return union
  }
}
