extension Proxy {
  /// Sets how conflicts with the server's state are resolved, and how they are noticed.
  ///
  /// ```swift
  /// .conflicts { try .mergedByFields($0) }
  /// ```
  ///
  /// ```swift
  /// .conflicts { conflict in
  ///   guard let theirs = conflict.theirs else { return .mine }
  ///   return .merged(conflict.mine.merged(with: theirs))
  /// }
  /// ```
  ///
  /// The resolver may take its time, and ask the user, because entries on other models go on. If it
  /// throws, the entry is parked, as by ``Outbox/Resolution/park``. Without a resolver, every
  /// conflict parks its entry. Evocation asks at most five times for one entry, and parks it at the
  /// sixth conflict.
  ///
  /// - Parameters:
  ///   - detection: How to notice that the server has another state. By default, by the server's
  ///     version or, without one, by asking for the model just before it is sent.
  ///   - resolve: Decides what becomes of the write.
  /// - Returns: The proxy itself.
  @discardableResult
  public func conflicts(
    detectedBy detection: Outbox.ConflictDetection = .automatic,
    _ resolve:
      @escaping @Sendable (Outbox.Conflict<Model>) async throws ->
      Outbox.Resolution<Model>
  ) -> Self {
    outboxLink.state.withLock { ($0.detection, $0.resolver) = (detection, resolve) }
    return self
  }

  /// Sets how Evocation notices that the server has another state than a write was made on.
  ///
  /// Without a resolver, such a write is parked, and the user decides.
  @discardableResult
  public func conflicts(detectedBy detection: Outbox.ConflictDetection) -> Self {
    outboxLink.state.withLock { $0.detection = detection }
    return self
  }

  /// Sends entries after earlier entries on the model that they refer to.
  ///
  /// ```swift
  /// .sends(after: Customer.self, by: \.customerID)
  /// ```
  ///
  /// If the server assigns another id to that model, Evocation changes the reference in the local
  /// store and in the entries. Declare each property that refers to other models, also where
  /// several refer to one type.
  @discardableResult
  public func sends<Other: Identifiable & Sendable>(
    after other: Other.Type, by reference: any WritableKeyPath<Model, Other.ID> & Sendable
  ) -> Self {
    sends(
      by: reference,
      ReferringProperty<Model, Other> {
        $0[keyPath: reference]
      } set: {
        $0[keyPath: reference] = $1
      })
  }

  /// Sends entries after earlier entries on the model that they refer to, if they refer to one.
  @discardableResult
  public func sends<Other: Identifiable & Sendable>(
    after other: Other.Type, by reference: any WritableKeyPath<Model, Other.ID?> & Sendable
  ) -> Self {
    sends(
      by: reference,
      ReferringProperty<Model, Other> {
        $0[keyPath: reference]
      } set: {
        $0[keyPath: reference] = $1
      })
  }

  private func sends<Other: Identifiable & Sendable>(
    by path: any PartialKeyPath<Model> & Sendable, _ property: ReferringProperty<Model, Other>
  ) -> Self {
    let environment = environment
    @Sendable func reference(_ model: Model) -> Outbox.Reference? {
      property.get(model).flatMap { environment.outbox?.reference(to: $0, of: Other.self) }
    }
    outboxLink.add(
      ModelLink(
        path: path, queue: { environment.outbox?.queue(of: Other.self) }, property: property,
        reference: reference
      ) { model, renaming in
        guard let own = reference(model), let renaming = try renaming(own),
          let id = ModelJSON.onlyValue(Other.ID.self, of: renaming.identity)
        else { return model }
        var model = model
        property.set(&model, id)
        return model
      })
    declare(about: Other.self) { $0.depend(on: Other.self) }
    return self
  }

  /// Sends entries after those of another type, and follows its new ids.
  private func depend<Other: Identifiable & Sendable>(on other: Other.Type) {
    let environment = environment
    let dependency = OutboxDependency<Other> { [weak self] transaction, former, model in
      guard let self, let repository = wiring.binding.outbox,
        let mine = transaction.transaction(for: repository),
        let queue = environment.outbox?.reference(to: model.id, of: Other.self)?.queue
      else { return }
      let links = outboxLink.state.withLock { $0.links }
      let rekeying = Rekeying(
        properties: links.compactMap { $0.property as? ReferringProperty<Model, Other> })
      try rekeying.apply(
        in: mine, from: Outbox.Reference(queue: queue, key: transaction.key(of: former)),
        to: Outbox.Reference(queue: queue, key: transaction.key(of: model)), id: model.id)
    }
    environment.outbox?.addDependency(of: self, on: Other.self, dependency: dependency)
  }
}

/// A property that refers to models of another type, read and changed.
private struct ReferringProperty<Model: Sendable, Other: Identifiable & Sendable>: Sendable {
  let get: @Sendable (Model) -> Other.ID?
  let set: @Sendable (inout Model, Other.ID) -> Void
}

/// Replaces a reference in the entries of a model type, and in their models.
private struct Rekeying<Model: Sendable, Other: Identifiable & Sendable>: Sendable {
  /// All properties that refer to the other type.
  let properties: [ReferringProperty<Model, Other>]

  func apply(
    in transaction: any OutboxTransaction<Model>, from former: Outbox.Reference,
    to new: Outbox.Reference, id: Other.ID
  ) throws {
    for record in try transaction.records(referringTo: former) {
      guard case .entry(var entry) = record else { continue }
      if let held = try transaction.held(entry.model) {
        try transaction.put(changed(held, former, id: id), before: held)
      }
      let model = changed(entry.model, former, id: id)
      entry.references = entry.references.map { $0 == former ? new : $0 }
      entry.formerReferences = entry.formerReferences.map { $0 == former ? new : $0 }
      // A key is sent with what it was sent with before, which another write changes afterwards.
      if entry.mayHaveArrived {
        try follow(entry, with: model, in: transaction)
      } else {
        // The base is what the server has, which does not know the other id yet.
        entry.model = model
      }
      try transaction.replace(entry)
    }
  }

  /// Appends what has become of an entry's model, if the entry is the last one on its instance.
  private func follow(
    _ entry: Outbox.Entry<Model>, with model: Model, in transaction: any OutboxTransaction<Model>
  ) throws {
    guard entry.kind != .remove, !Rebasing.areSame(model, entry.model),
      try transaction.records(of: transaction.key(of: model)).last?.id == entry.id
    else { return }
    try transaction.append(
      Outbox.Entry(
        id: EntryID.make(), kind: .update, model: model, base: nil, queuedAt: entry.queuedAt,
        references: entry.references, formerReferences: entry.formerReferences,
        priority: entry.priority))
  }

  private func changed(_ model: Model, _ former: Outbox.Reference, id: Other.ID) -> Model {
    properties.reduce(into: model) { model, property in
      let present = property.get(model).map { ModelID($0, of: Other.self).key }
      if present == ByteText(former.key) { property.set(&model, id) }
    }
  }
}

extension Outbox {
  package func addDependency<Model: Sendable, Other: Identifiable & Sendable>(
    of proxy: Proxy<Model>, on other: Other.Type, dependency: OutboxDependency<Other>
  ) {
    let link = proxy.outboxLink
    let added = OutboxParts.Dependency(
      type: ObjectIdentifier(Model.self), other: ObjectIdentifier(other), model: proxy.model,
      dependency: dependency,
      isPresent: { [weak proxy, weak self] in
        proxy != nil && self?.registry.proxy(for: Model.self) === proxy
      }, refuse: { error in link.state.withLock { $0.refusal = error } },
      join: { [weak proxy, weak self] in
        guard let proxy, let theirs = self?.registry.proxy(for: other) else { return }
        guard let mine = proxy.wiring.binding.outbox, let other = theirs.wiring.binding.outbox
        else {
          return
        }
        let isShared = mine.shares(with: other)
        let error = EvocationError.separateStores(model: proxy.model, other: theirs.model)
        link.state.withLock { $0.separation = isShared ? nil : error }
      })
    // Types that were registered again may refer to others no longer.
    let gone = state.withLock(\.dependencies).filter { !$0.isPresent() }
    let circle = state.withLock { state -> [OutboxParts.Dependency] in
      state.dependencies.removeAll { known in
        (gone + [added]).contains { $0.type == known.type && $0.other == known.other }
      }
      state.dependencies.append(added)
      return Self.circle(through: added, state.dependencies)
    }
    updateWiring(of: proxy)
    guard circle.count > 1 else { return }
    let error = EvocationError.circularDependency(models: circle.map(\.model))
    for dependency in circle { dependency.refuse(error) }
  }

  /// Returns the dependencies that lead from a type back to it; none for a type that refers to
  /// itself.
  private static func circle(
    through first: OutboxParts.Dependency, _ all: [OutboxParts.Dependency]
  ) -> [OutboxParts.Dependency] {
    var seen: Set<ObjectIdentifier> = []
    func path(from step: OutboxParts.Dependency) -> [OutboxParts.Dependency]? {
      if step.other == first.type { return [step] }
      guard seen.insert(step.other).inserted else { return nil }
      for next in all where next.type == step.other && next.other != next.type {
        if let rest = path(from: next) { return [step] + rest }
      }
      return nil
    }
    return first.type == first.other ? [] : path(from: first) ?? []
  }

  package func reference<Other: Identifiable & Sendable>(
    to id: Other.ID, of other: Other.Type
  ) -> Reference? {
    queue(of: other).map { Reference(queue: $0, key: ModelID(id, of: other).key.text) }
  }

  package func queue<Other: Sendable>(of other: Other.Type) -> String? {
    registry.proxy(for: other)?.wiring.binding.outbox?.queueName
  }
}
