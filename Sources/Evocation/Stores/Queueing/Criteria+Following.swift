/// Criteria with the ids that the server gave in place of those that the app made.
package struct FollowedCriteria: Sendable {
  /// The criteria with the present ids.
  package var criteria: Criteria

  /// The same without the ids that the server does not have yet, to ask the server.
  package var asked: Criteria

  /// The key that names only what the server does not have yet; nil if there is none.
  package var unsent: Criteria.Key?
}

extension Criteria {
  /// Puts the present ids of renamed instances in place of those that the app made.
  ///
  /// - Parameters:
  ///   - queues: The keys that name instances, each with the queue of these.
  ///   - schema: What the keys hold.
  ///   - entries: The entries and the renamings of the store.
  /// - Returns: Nil if nothing is known of any.
  /// - Throws: What the store throws.
  package func followed(
    _ queues: [Key: String], schema: ModelSchema, in entries: any OutboxEntries
  ) throws -> FollowedCriteria? {
    guard let predicate else { return nil }
    var asked: [Predicate: Predicate] = [:]
    let present = try predicate.folded { term, _ in
      let new = try term.followed(queues, schema: schema, in: entries)
      if new.asked != new.term { asked[new.term] = new.asked }
      return new.term
    } _: { join, parts, _ in
      join.of(parts)
    }
    guard !asked.isEmpty || present != predicate else { return nil }
    var result = FollowedCriteria(criteria: self, asked: self)
    result.criteria.predicate = present
    let known = present.folded { term, _ in
      asked[term] ?? term
    } _: { join, parts, _ in
      join.ofDecided(parts)
    }
    result.asked.predicate = known == .all([]) ? nil : known
    if known == .any([]) { result.unsent = asked.keys.lazy.flatMap(\.keys).first }
    return result
  }

  /// Whether the criteria name instances by one of these keys.
  package func names(_ keys: some Sequence<Key>) -> Bool {
    guard let predicate else { return false }
    let named = predicate.keys
    return keys.contains { named.contains($0) }
  }
}

extension Criteria.Predicate {
  /// Returns a single term with present ids, and the same without those that the server does not have.
  fileprivate func followed(
    _ queues: [Criteria.Key: String], schema: ModelSchema, in entries: any OutboxEntries
  ) throws -> (term: Self, asked: Self) {
    func followed(
      _ value: Criteria.Scalar, _ key: Criteria.Key, of queue: String
    ) throws -> (value: Criteria.Scalar?, isUnsent: Bool) {
      let target = try schema.target(of: key)
      let id = ModelID([try value.coerced(to: target, key: key)])
      let instance = Outbox.Reference(queue: queue, key: id.key.text)
      if let first = try entries.rows(of: instance, from: .min).first {
        return (nil, first.kind == .store && first.parked == nil)
      }
      let new = try entries.followed(instance).flatMap { ModelID.value(of: $0.key) }
      return (try new?.coerced(to: target, key: key), false)
    }
    switch self {
    case .comparison(let key, let comparison, let operand):
      guard let queue = queues[key], comparison == .equal || comparison == .notEqual else { break }
      let (value, isUnsent) = try followed(operand.value, key, of: queue)
      if isUnsent { return (self, comparison == .equal ? .any([]) : .all([])) }
      let term = value.map { Self.comparison(key, comparison, Criteria.Operand($0)) } ?? self
      return (term, term)
    case .isIn(let key, let values):
      guard let queue = queues[key] else { break }
      let found = try values.map { try followed($0, key, of: queue) }
      guard found.contains(where: { $0.value != nil || $0.isUnsent }) else { break }
      let present = zip(values, found).map { $1.value ?? $0 }
      let known = zip(present, found).filter { !$1.isUnsent }.map { $0.0 }
      return (.isIn(key, present), known.isEmpty ? .any([]) : .isIn(key, known))
    case .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter, .all, .any, .not:
      break
    }
    return (self, self)
  }
}

extension Criteria.Predicate.Join {
  /// Returns the parts, joined in this way, without those that hold for all models or for none.
  fileprivate func ofDecided(_ parts: [Criteria.Predicate]) -> Criteria.Predicate {
    let (all, none) = (Criteria.Predicate.all([]), Criteria.Predicate.any([]))
    // Of one kind, one part decides; parts of the other kind decide nothing.
    let (deciding, other) = self == .any ? (all, none) : (none, all)
    if self == .not { return parts[0] == all ? none : parts[0] == none ? all : .not(parts[0]) }
    if parts.contains(deciding) { return deciding }
    let rest = parts.filter { $0 != other }
    return rest.count == 1 ? rest[0] : of(rest)
  }
}

extension OutboxEntries {
  /// Returns the present name of an instance; nil for one that has not been renamed.
  ///
  /// An id with entries names the model that they are on. An id of zero or an empty text names none.
  package func followed(_ instance: Outbox.Reference) throws -> OutboxRenaming? {
    if instance.key == "0" || instance.key == "'" { return nil }
    return try ends(of: instance) == nil ? renaming(of: instance) : nil
  }
}
