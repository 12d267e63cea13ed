import Evocation
import Foundation

extension Values {
  /// Returns criteria over some of these places.
  mutating func criteria(_ places: [Place]) -> Criteria {
    var criteria = chance(15) ? Criteria() : condition(places)
    for _ in 0..<count(0...2) where !places.isEmpty && chance(60) {
      criteria = criteria.sorted(by: pick(places).key, descending: chance(50))
    }
    if chance(30) { criteria = criteria.limit(count(0...6)) }
    if chance(20) { criteria = criteria.offset(count(0...4)) }
    return criteria
  }

  /// Returns criteria without an order.
  mutating func condition(_ places: [Place]) -> Criteria {
    places.isEmpty ? Criteria() : condition(places, depth: 2)
  }

  private mutating func condition(_ places: [Place], depth: Int) -> Criteria {
    guard depth > 0, chance(50) else { return comparison(pick(places)) }
    switch count(0...2) {
    case 0: return condition(places, depth: depth - 1) && condition(places, depth: depth - 1)
    case 1: return condition(places, depth: depth - 1) || condition(places, depth: depth - 1)
    default: return !condition(places, depth: depth - 1)
    }
  }

  private mutating func comparison(_ place: Place) -> Criteria {
    let (key, values) = (place.key, self.values(of: place.kind))
    if chance(15) { return key.isNull }
    guard !values.isEmpty else { return chance(50) ? key == nil : key.isNull }
    if place.kind == .text, chance(30) {
      return chance(50) ? key.hasPrefix(text()) : key.contains(text())
    }
    let value = pick(values)
    switch count(0...7) {
    case 0: return key != value
    case 1: return key < value
    case 2: return key <= value
    case 3: return key > value
    case 4: return key >= value
    case 5: return key.in((0..<count(0...4)).map { _ in pick(values).criteriaValue })
    case 6: return key.between(value, and: pick(values))
    default: return key == value
    }
  }

  /// Returns what may be compared with a kind.
  private func values(of kind: Place.Kind) -> [any CriteriaValue] {
    switch kind {
    case .number: Pool.integers as [any CriteriaValue] + Pool.reals + Pool.decimals + [UInt64.max]
    case .bool: [true, false]
    case .text: Pool.texts
    case .date: Pool.dates
    case .uuid: Pool.uuids
    case .url: Pool.urls
    case .data: Pool.data
    case .loose: ["a", "é", "1.5", 0 as Int64, 3 as Int64, Int64.max]
    case .list: []
    }
  }
}
