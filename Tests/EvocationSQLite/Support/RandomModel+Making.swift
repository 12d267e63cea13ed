import Evocation
import EvocationTesting
import Foundation

extension SeededGenerator {
  mutating func maybe<Value>(_ values: [Value]) -> Value? {
    chance(25) ? nil : pick(values)
  }

  mutating func model(id: Int) -> RandomModel {
    RandomModel(
      id: id, flag: chance(50), number: pick(Pool.integers), small: maybe([-128, 0, 1, 127]),
      large: pick(Pool.unsigned), largeOrNot: maybe(Pool.unsigned).map { UInt($0) },
      real: pick(Pool.reals), realOrNot: maybe(Pool.reals), price: pick(Pool.decimals),
      priceOrNot: maybe(Pool.decimals), name: pick(Pool.texts), nameOrNot: maybe(Pool.texts),
      key: maybe(Pool.uuids), link: maybe(Pool.urls), at: pick(Pool.dates),
      atOrNot: maybe(Pool.dates), bytes: maybe(Pool.data), fuel: pick([.petrol, .diesel]),
      tags: chance(30) ? nil : (0..<count(0...3)).map { _ in pick(Pool.texts) },
      numbers: chance(30) ? nil : (0..<count(0...3)).map { _ in pick(Pool.reals) },
      part: chance(20) ? nil : part(), open: open(), loose: loose())
  }

  private mutating func part() -> RandomModel.Part {
    RandomModel.Part(
      name: maybe(Pool.texts), at: maybe(Pool.dates), key: maybe(Pool.uuids),
      flag: maybe([true, false]), price: maybe(Pool.decimals), large: maybe(Pool.unsigned),
      real: maybe(Pool.reals), bytes: maybe(Pool.data),
      list: chance(30) ? nil : (0..<count(0...3)).map { _ in count(0...3) },
      deep: chance(30) ? nil : RandomModel.Deep(number: Int(pick(Pool.integers))))
  }

  private mutating func open() -> [String: Int] {
    var result: [String: Int] = [:]
    for name in ["a", "b/c", "d e"] where chance(50) { result[name] = Int(pick(Pool.integers)) }
    return result
  }

  private mutating func loose() -> RandomModel.Loose? {
    switch count(0...3) {
    // In JSON "nan" is a number too, and the model cannot tell which it was.
    case 0: .text(pick(Pool.texts.filter { $0 != "nan" }))
    case 1: .number(pick(Pool.reals.filter(\.isFinite)))
    case 2: .list((0..<count(0...2)).map { _ in pick(Pool.texts) })
    default: nil
    }
  }
}

extension SeededGenerator {
  /// Keys that hold single values, and values that go with each.
  private static let places: [(key: Criteria.Key, values: [any CriteriaValue])] = {
    let numbers: [any CriteriaValue] =
      Pool.integers as [any CriteriaValue] + Pool.unsigned + Pool.reals + Pool.decimals
    return [
      ("id", [-1, 0, 1, 2, 5, 9]), ("flag", [true, false, 0, 1]), ("number", numbers),
      ("small", numbers), ("large", numbers), ("largeOrNot", numbers), ("real", numbers),
      ("realOrNot", numbers), ("price", numbers), ("priceOrNot", numbers), ("name", Pool.texts),
      ("nameOrNot", Pool.texts), ("key", Pool.uuids), ("link", Pool.urls), ("at", Pool.dates),
      ("atOrNot", Pool.dates), ("bytes", Pool.data), ("fuel", ["petrol", "diesel", "x"]),
      ("part.name", Pool.texts), ("part.at", Pool.dates), ("part.key", Pool.uuids),
      ("part.flag", [true, false]), ("part.price", numbers), ("part.large", numbers),
      ("part.real", numbers), ("part.bytes", Pool.data), ("part.deep.number", numbers),
      ("open.a", numbers), ("open.b/c", numbers), ("open.d e", numbers),
      ("loose", Pool.texts.filter { $0 != "nan" } + Pool.reals.filter { !$0.isNaN }),
    ]
  }()

  mutating func criteria(cursorAt models: [RandomModel]) throws -> Criteria {
    var criteria = chance(15) ? Criteria() : condition(depth: 3)
    for _ in 0..<count(0...2) where chance(60) {
      criteria = criteria.sorted(by: pick(Self.places).key, descending: chance(50))
    }
    if chance(30), !models.isEmpty {
      criteria = criteria.after(try criteria.cursor(at: pick(models)))
    }
    if chance(30) { criteria = criteria.limit(count(0...6)) }
    if chance(20) { criteria = criteria.offset(count(0...4)) }
    return criteria
  }

  private mutating func condition(depth: Int) -> Criteria {
    guard depth > 0, chance(60) else { return comparison() }
    switch count(0...2) {
    case 0: return condition(depth: depth - 1) && condition(depth: depth - 1)
    case 1: return condition(depth: depth - 1) || condition(depth: depth - 1)
    default: return !condition(depth: depth - 1)
    }
  }

  private mutating func comparison() -> Criteria {
    if chance(20) { return textOrList() }
    let (key, values) = pick(Self.places)
    let value = pick(values)
    switch count(0...9) {
    case 0: return chance(20) ? key == nil : key == value
    case 1: return chance(20) ? key != nil : key != value
    case 2: return key < value
    case 3: return key <= value
    case 4: return key > value
    case 5: return key >= value
    case 6:
      var some: [Criteria.Scalar] = (0..<count(0...12)).map { _ in pick(values).criteriaValue }
      if chance(20) { some.append(.null) }
      return key.in(some)
    case 7: return key.between(value, and: pick(values))
    case 8: return key.isNull
    default: return key == value
    }
  }

  private mutating func textOrList() -> Criteria {
    let text = pick(Pool.texts)
    switch count(0...5) {
    case 0: return pick([Criteria.Key("name"), "nameOrNot", "part.name", "loose"]).hasPrefix(text)
    case 1: return pick([Criteria.Key("name"), "nameOrNot", "part.name", "loose"]).contains(text)
    case 2: return Criteria.Key("tags").contains(text)
    case 3: return Criteria.Key("numbers").contains(pick(Pool.reals))
    case 4: return pick([Criteria.Key("tags"), "numbers", "part", "part.list", "open"]).isNull
    default: return Criteria.Key("part.list").contains(count(0...3))
    }
  }
}
