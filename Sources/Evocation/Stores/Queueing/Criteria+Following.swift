/// Criteria with the ids that the server gave in place of those that the app made.
package struct FollowedCriteria: Sendable {
  /// The criteria with the present ids.
  package var criteria: Criteria

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
    var unsent: Set<Predicate> = []
    let present = try predicate.folded { term, _ in
      let new = try term.followed(queues, schema: schema, in: entries)
      if new.isUnsent { unsent.insert(new.term) }
      return new.term
    } _: { join, parts, _ in
      switch join {
      case .all: .all(parts)
      case .any: .any(parts)
      case .not: .not(parts[0])
      }
    }
    let conditions = if case .all(let parts) = present { parts } else { [present] }
    // All have to hold, so the server has no model for which one cannot hold.
    let missing = conditions.first { unsent.contains($0) }
    guard missing != nil || present != predicate else { return nil }
    var result = FollowedCriteria(criteria: self)
    result.criteria.predicate = present
    result.unsent = missing?.keys.first
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
  /// Returns a single term with present ids, and whether it holds only for what was not sent yet.
  fileprivate func followed(
    _ queues: [Criteria.Key: String], schema: ModelSchema, in entries: any OutboxEntries
  ) throws -> (term: Self, isUnsent: Bool) {
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
      let term = value.map { Self.comparison(key, comparison, Criteria.Operand($0)) }
      return (term ?? self, isUnsent && comparison == .equal)
    case .isIn(let key, let values):
      guard let queue = queues[key] else { break }
      let found = try values.map { try followed($0, key, of: queue) }
      guard found.contains(where: { $0.value != nil || $0.isUnsent }) else { break }
      let present = zip(values, found).map { $1.value ?? $0 }
      return (.isIn(key, present), found.allSatisfy(\.isUnsent))
    case .between, .isNull, .hasPrefix, .contains, .text, .matching, .parameter, .all, .any, .not:
      break
    }
    return (self, false)
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
