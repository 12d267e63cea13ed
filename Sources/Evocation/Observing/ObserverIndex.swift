/// Who observes what, arranged so that a changed model leads to the observers that it concerns.
///
/// An observer is found by what its criteria demand of a model, and then asked whether the model
/// matches. Those whose criteria demand nothing that could be looked up are all asked.
struct ObserverIndex {
  typealias Number = UInt64

  private struct KeyIndex {
    var values: [ModelID: Set<Number>] = [:]
    var ranges = ObserverRanges()
    var isEmpty: Bool { values.isEmpty && ranges.isEmpty }

    mutating func insert(_ number: Number, _ demands: ObserverDemand.OfKey) {
      for id in demands.values { values[id, default: []].insert(number) }
      if !demands.ranges.isEmpty { ranges.insert(number, demands.ranges) }
    }

    mutating func remove(_ number: Number, _ demands: ObserverDemand.OfKey) {
      for id in demands.values {
        values[id]?.remove(number)
        if values[id]?.isEmpty == true { values[id] = nil }
      }
      if !demands.ranges.isEmpty { ranges.remove(number) }
    }
  }

  private var predicates: [Number: Criteria.Predicate] = [:]
  private var keys: [Criteria.Key: KeyIndex] = [:]
  private var asked: Set<Number> = []
  private var everything: Set<Number> = []

  var isEmpty: Bool { count == 0 }

  /// How many observe.
  var count: Int { predicates.count + everything.count }

  /// All observers.
  var all: Set<Number> { everything.union(predicates.keys) }

  /// The observers of everything.
  var unconditional: Set<Number> { everything }

  /// Adds an observer of criteria that were resolved.
  mutating func insert(_ number: Number, _ criteria: Criteria) {
    guard let predicate = criteria.predicate else {
      everything.insert(number)
      return
    }
    predicates[number] = predicate
    guard let demands = ObserverDemand.demands(of: predicate) else {
      asked.insert(number)
      return
    }
    for (key, demand) in ObserverDemand.byKey(demands) {
      keys[key, default: KeyIndex()].insert(number, demand)
    }
  }

  mutating func remove(_ number: Number) {
    everything.remove(number)
    guard let predicate = predicates.removeValue(forKey: number) else { return }
    asked.remove(number)
    let demands = ObserverDemand.demands(of: predicate) ?? []
    for (key, demand) in ObserverDemand.byKey(demands) {
      keys[key]?.remove(number, demand)
      if keys[key]?.isEmpty == true { keys[key] = nil }
    }
  }

  /// The observers that see a model with these fields.
  mutating func observers(of fields: Fields) -> Set<Number> {
    var found = everything
    collect(fields, into: &found)
    return found
  }

  /// Adds the observers whose criteria a model with these fields matches.
  mutating func collect(_ fields: Fields, into found: inout Set<Number>) {
    var candidates: Set<Number> = []
    for key in Array(keys.keys) {
      let value = fields.scalar(at: key)
      if let equal = keys[key]?.values[ModelID([value])] { candidates.formUnion(equal) }
      keys[key]?.ranges.forEach(around: value) { candidates.insert($0) }
    }
    for numbers in [candidates, asked] {
      for number in numbers where !found.contains(number) {
        if predicates[number]?.matches(fields) == true { found.insert(number) }
      }
    }
  }
}
