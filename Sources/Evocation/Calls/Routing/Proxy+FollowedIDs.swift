// Reads by an id that the app made find the model under the id that the server gave it.
extension Proxy {
  /// The keys by which criteria name instances, each with the queue of these.
  ///
  /// They are the key of the model's own id, and those of the declared references.
  private func namingKeys(_ wiring: Wiring<Model>) -> [Criteria.Key: String] {
    guard wiring.mayHaveUnsent, let own = wiring.binding.outbox?.queueName else { return [:] }
    var queues: [Criteria.Key: String] = [:]
    for link in outboxLink.state.withLock({ $0.links }) {
      if let queue = link.queue() { queues[link.key] = queue }
    }
    if let id = ModelAccess<Model>.make()?.schema.identifier { queues[Criteria.Key(id)] = own }
    return queues
  }

  /// Returns the criteria with the ids that the server gave to the models that they name.
  ///
  /// Nil means that they are the same, or that the store cannot be asked: the read then shows its error.
  package func followed(
    _ criteria: Criteria, _ wiring: Wiring<Model>
  ) async -> FollowedCriteria? {
    guard criteria.predicate != nil, case let queues = namingKeys(wiring),
      criteria.names(queues.keys),
      let outbox = wiring.binding.outbox, let access = ModelAccess<Model>.make()
    else { return nil }
    return try? await outbox.look(isShort: true) { transaction in
      try criteria.followed(queues, schema: access.schema, in: transaction.entries)
    }
  }

  /// How observers follow ids.
  var followedIDs: FollowedIDs {
    FollowedIDs { [weak self] criteria in
      self.map { criteria.names($0.namingKeys($0.wiring).keys) } ?? false
    } followed: { [weak self] criteria in
      guard let self, let found = await followed(criteria, wiring) else { return nil }
      return found.criteria == criteria ? nil : found.criteria
    }
  }
}

extension Call {
  /// Returns the call with the ids that the server gave to the models that its criteria name.
  @inline(never)
  package func following() async -> Call {
    guard case .read(let action, let criteria) = operation,
      let followed = await proxy.followed(criteria, wiring)
    else { return self }
    return Call(
      .read(action, followed.criteria), self, asking: .read(action, followed.asked),
      unsent: followed.unsent)
  }

  /// The answer of a server that was not asked, because it does not have the models yet.
  func answer(ofUnsent key: Criteria.Key) -> Answer<Model> {
    let reason =
      "the server does not have what \"\(key.name)\" names yet, because that was not sent"
    return Answer(Response([], metadata: [Evocation.Metadata.notAsked: reason]))
  }
}
