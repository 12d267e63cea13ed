/// What a repository's answer has had besides the models that it returned, and why they are not in it.
///
/// A reason is a clause, such as `that cannot be read`.
///
/// There are two cases: models that do not match the criteria, which are no part of the answer, and
/// models that cannot be read, of which the answer says that they exist.
package struct LeftOut: Sendable {
  /// How many models were left out.
  package private(set) var count = 0
  /// Different reasons, the first of them.
  private(set) var reasons: [String] = []
  /// The ids of those that cannot be read and are known to exist.
  package private(set) var ids: [Criteria.Scalar] = []
  /// Whether one of those that cannot be read has no id that can be read.
  package private(set) var hasUnknown = false
  /// The places in the answer of those that cannot be read: each counts in the list that was asked for.
  package private(set) var places: [Int] = []

  private static var mostReasons: Int { 3 }
  private static var name: String { "leftOutModels" }

  package init() {}

  /// Returns what the metadata of an answer say.
  package init?(_ metadata: [String: any Sendable]) {
    guard let leftOut = metadata[Self.name] as? LeftOut else { return nil }
    self = leftOut
  }

  /// Adds models that were left out for a reason.
  package mutating func add(_ count: Int = 1, because reason: String) {
    self.count += count
    if reasons.count < Self.mostReasons, !reasons.contains(reason) { reasons.append(reason) }
  }

  /// Adds a model that cannot be read at a place of the answer, and its id if that can be read.
  package mutating func add(
    unreadable id: Criteria.Scalar?, at place: Int, because reason: String
  ) {
    add(because: reason)
    places.append(place)
    if let id { ids.append(id) } else { hasUnknown = true }
  }

  /// Adds what was left out of a further answer.
  package mutating func add(_ more: LeftOut) {
    count += more.count
    for reason in more.reasons { add(0, because: reason) }
    ids += more.ids
    places += more.places
    hasUnknown = hasUnknown || more.hasUnknown
  }

  /// Writes it into the metadata of an answer, unless nothing was left out.
  package func note(in metadata: inout [String: any Sendable]) {
    guard count > 0 else { return }
    metadata["leftOut"] = count
    metadata[Self.name] = self
  }

  /// The reasons in one part of a sentence.
  package var reason: String { reasons.joined(separator: " or ") }
}

extension Evocation.Metadata {
  /// What the repository left out of its answer.
  package var leftOut: LeftOut? { LeftOut(values) }
}

extension Evocation.Result {
  /// How many models the repository's answer had that are not in `data`; 0 for none.
  ///
  /// There are two cases: models that do not match the criteria, because the service passed over a
  /// condition, and models that the type cannot decode, where the app has said that these are left out.
  /// ``trace`` has the reasons.
  public var leftOut: Int { origin.flatMap { metadata[$0]?.leftOut?.count } ?? 0 }
}
