/// Who observes what, arranged so that a changed model leads to the observers that it concerns.
///
/// An observer whose criteria demand a value for a key is found by that value. The others are
/// asked one by one whether the model matches.
struct ObserverIndex {
  typealias Number = UInt64

  private struct Demand: Hashable {
    let key: Criteria.Key
    let value: ModelID
  }

  private var predicates: [Number: Criteria.Predicate] = [:]
  private var demanding: [Demand: Set<Number>] = [:]
  private var keys: [Criteria.Key: Int] = [:]
  private var asked: Set<Number> = []
  private var everything: Set<Number> = []

  var isEmpty: Bool { predicates.isEmpty && everything.isEmpty }

  /// Adds an observer of criteria that were resolved.
  mutating func insert(_ number: Number, _ criteria: Criteria) {
    guard let predicate = criteria.predicate else {
      everything.insert(number)
      return
    }
    predicates[number] = predicate
    if let demand = Self.demand(of: predicate) {
      demanding[demand, default: []].insert(number)
      keys[demand.key, default: 0] += 1
    } else {
      asked.insert(number)
    }
  }

  mutating func remove(_ number: Number) {
    everything.remove(number)
    guard let predicate = predicates.removeValue(forKey: number) else { return }
    asked.remove(number)
    guard let demand = Self.demand(of: predicate) else { return }
    demanding[demand]?.remove(number)
    if demanding[demand]?.isEmpty == true { demanding[demand] = nil }
    keys[demand.key, default: 1] -= 1
    if keys[demand.key] == 0 { keys[demand.key] = nil }
  }

  /// All observers.
  var all: Set<Number> { everything.union(predicates.keys) }

  /// The observers that see a model with these fields.
  func observers(of fields: @autoclosure () throws -> Fields) rethrows -> Set<Number> {
    guard !predicates.isEmpty else { return everything }
    let fields = try fields()
    var found = everything
    for key in keys.keys {
      let demand = Demand(key: key, value: ModelID([fields.scalar(at: key)]))
      for number in demanding[demand] ?? [] where predicates[number]?.matches(fields) == true {
        found.insert(number)
      }
    }
    for number in asked where predicates[number]?.matches(fields) == true {
      found.insert(number)
    }
    return found
  }

  /// The first equality that must hold for anything to match.
  private static func demand(of predicate: Criteria.Predicate) -> Demand? {
    for case .comparison(let key, .equal, let operand) in predicate.conjuncts {
      return Demand(key: key, value: ModelID([operand.value]))
    }
    return nil
  }
}
