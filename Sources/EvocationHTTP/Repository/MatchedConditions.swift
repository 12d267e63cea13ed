import Evocation

/// The conditions with which the models of an answer are compared, because a service may pass over some.
///
/// Four kinds of conditions are left to the service: the values of its parameters, the words of a
/// search, keys that only a closure of the format knows, and keys that the answer has left out.
struct MatchedConditions<Model: Codable & Identifiable & Sendable>: Sendable {
  private struct Condition {
    let predicate: Criteria.Predicate
    /// The coding keys of the properties that it compares.
    let keys: Set<String>
    let name: String
  }

  private let access: ModelAccess<Model>
  private let conditions: [Condition]
  private let keys: Set<String>

  /// Creates the conditions of criteria; nil if there are none, or if the format trusts the service.
  init?(_ criteria: Criteria, _ format: HTTPFormat) {
    guard !format.trustsFilters, criteria.predicate != nil, let access = ModelAccess<Model>.make()
    else { return nil }
    self.access = access
    let own = criteria.without(format.parameters).predicate?.conjuncts ?? []
    conditions = own.compactMap { Self.condition($0, access.schema) }
    keys = conditions.reduce(into: []) { $0.formUnion($1.keys) }
    if conditions.isEmpty { return nil }
  }

  private static func condition(
    _ part: Criteria.Predicate, _ schema: ModelSchema
  ) -> Condition? {
    guard !part.isOpaque, let predicate = try? Criteria(part).resolved(against: schema).predicate,
      let targets = try? part.keys.map({ try schema.target(of: $0) })
    else { return nil }
    let names = Set(part.keys.map { "\"\($0)\"" }).sorted().joined(separator: ", ")
    return Condition(
      predicate: predicate, keys: Set(targets.map(\.property.name)),
      name: names.isEmpty ? "without keys" : "on \(names)")
  }

  /// The names of the conditions.
  var names: Set<String> { Set(conditions.map(\.name)) }

  /// Returns the names of conditions that a model does not meet; empty if it matches.
  ///
  /// A model of which a value is not known counts as matching.
  func unmet(by model: Model, absent: Set<String> = []) -> [String] {
    guard let fields = try? access.fields(model, only: keys) else { return [] }
    return conditions.lazy
      .filter { $0.keys.isDisjoint(with: absent) && !$0.predicate.matches(fields) }.map(\.name)
  }
}

extension HTTPRepository {
  /// Leaves out the models of an answer that do not match.
  func matching(
    _ answer: Response<[Model]>, _ conditions: MatchedConditions<Model>?
  ) -> (answer: Response<[Model]>, leftOut: LeftOut) {
    var leftOut = LeftOut()
    guard let conditions else { return (answer, leftOut) }
    let kept = answer.value.indices.filter { index in
      let absent = answer.absentKeys.isEmpty ? [] : answer.absentKeys[index]
      let unmet = conditions.unmet(by: answer.value[index], absent: absent)
      guard let name = unmet.first else { return true }
      leftOut.add(because: "that do not meet the condition \(name), which the service passed over")
      client.recordPassedOver(name)
      return false
    }
    return (leftOut.count == 0 ? answer : answer.picking(kept), leftOut)
  }
}

extension HTTPClient {
  /// Remembers that the service passed over a condition, and says so once in the log.
  func recordPassedOver(_ name: String) {
    sayOnce(
      name,
      "The service answered \(path) with models that do not meet the condition \(name), and Evocation "
        + "left them out. Name the conditions that the service has in filters.keys, and set "
        + "filtersHere for the others.")
  }

  /// Says once in the log why elements of a list were left out.
  func record(_ leftOut: LeftOut) {
    guard leftOut.count > 0 else { return }
    let kind = leftOut.reason.filter { !$0.isNumber }
    sayOnce(kind, "The service answered \(path) with models \(leftOut.reason); they were left out.")
  }

  func sayOnce(_ key: String, _ line: String) {
    guard said.withLock({ $0.count < 100 && $0.insert(key).inserted }) else { return }
    service.configuration.log.add { _ in .notice(line) }
  }
}

extension Response {
  /// Returns the answer with the models at some places, each with what is known of it.
  fileprivate func picking<Model>(_ places: [Int]) -> Self where Value == [Model] {
    var picked = map { models in places.map { models[$0] } }
    if !versions.isEmpty { picked.versions = places.map { versions[$0] } }
    if !absentKeys.isEmpty { picked.absentKeys = places.map { absentKeys[$0] } }
    return picked
  }
}
