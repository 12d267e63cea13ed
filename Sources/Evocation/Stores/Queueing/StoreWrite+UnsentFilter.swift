extension StoreWrite {
  /// Returns the write without changes to models that have unsent writes, and saves the versions.
  ///
  /// An ``OutboxRepository`` calls it for a write whose ``source`` is not the app. What the server
  /// returned for a model with unsent writes becomes what its first entry has seen. The base of the
  /// entry stays as it is.
  package func sparingUnsent(in transaction: any OutboxTransaction<Model>) throws -> StoreWrite {
    let whole = try completed(in: transaction)
    if source == .live { return try whole.withoutLate(in: transaction).sparing(in: transaction) }
    return try whole.sparing(in: transaction)
  }

  private func sparing(in transaction: any OutboxTransaction<Model>) throws -> StoreWrite {
    let isRemote = source == .remote || source == .live
    if isRemote { try keepNotes(in: transaction) }
    if try transaction.isEmpty { return self }
    var sparing = UnsentFilter(isRemote: isRemote, transaction: transaction)
    var write = self
    write.list = try list.map { try sparing.apply($0) }
    write.changes = try changes.map { try sparing.apply($0) }
    write.gone = sparing.gone
    return write
  }
}

extension StoreWrite {
  /// Returns the write without models whose version is older than the one in the store.
  private func withoutLate(in transaction: any OutboxTransaction<Model>) throws -> StoreWrite {
    guard !versions.isEmpty, try transaction.hasNotes else { return self }
    var late: Set<ByteText> = []
    for version in versions {
      guard let model = version.model, let new = version.version,
        let held = try transaction.version(of: model), VersionOrder.isOlder(new, than: held)
      else { continue }
      late.insert(try transaction.instance(of: model))
    }
    if late.isEmpty { return self }
    var write = self
    write.versions = try versions.filter { version in
      try version.model.map { try !late.contains(transaction.instance(of: $0)) } ?? true
    }
    write.changes = try changes.map { change in
      guard case .storeOrUpdate(let models) = change else { return change }
      return .storeOrUpdate(try models.filter { try !late.contains(transaction.instance(of: $0)) })
    }
    return write
  }

  /// Saves what the write and its collected pages say besides values, and deletes what was known so of
  /// their other models.
  private func keepNotes(in transaction: any OutboxTransaction<Model>) throws {
    switch list {
    case .page(let page): try transaction.keep(versions, unsaid, of: page.models, except: page.kept)
    case .replace(_, let pages, _, let kept):
      guard try pages.haveVersions || unsaid.isNoted || transaction.hasNotes else { break }
      try pages.forEach { page in
        let left = UnsaidKeys(page.absentKeys, of: page.models, isNoted: unsaid.isNoted)
        try transaction.keep(page.knownVersions, left, of: page.models, except: kept)
      }
    // The models of a collected page are not in the local store yet.
    case .collect, .cut, .delete, nil: break
    }
    try transaction.keep(versions, unsaid, of: changes.flatMap(\.models))
  }
}

extension StoreWrite.Change {
  /// The models that it writes or removes by name.
  fileprivate var models: [Model] {
    switch self {
    case .store(let models), .update(let models), .storeOrUpdate(let models), .remove(let models),
      .mirror(let models, _, _):
      models
    }
  }
}

extension OutboxTransaction {
  /// Saves the versions of models, or which keys no answer had, and deletes what was known of the rest.
  ///
  /// The kept models have been written since, and their versions are those of the writes.
  fileprivate func keep(
    _ versions: [VersionedModel<Model>], _ unsaid: UnsaidKeys, of models: [Model],
    except kept: [Model] = []
  ) throws {
    let isNoted = unsaid.isNoted && !unsaid.isWhole
    if try versions.isEmpty && !isNoted && !hasNotes { return }
    let kept = try Set(kept.map(instance))
    var said: [ByteText: String] = [:]
    for version in versions {
      if let model = version.model { said[try instance(of: model)] = version.version }
    }
    for model in models {
      let instance = try instance(of: model)
      if kept.contains(instance) { continue }
      if let version = said[instance] {
        try setNote(.version(version), of: model)
      } else if isNoted, let keys = unsaid.absentKeys(of: model) {
        try leave(keys, unsaidOf: model)
      } else {
        try setNote(nil, of: model)
      }
    }
  }

  /// Saves that an answer did not have some keys of a model, unless an earlier one had them.
  private func leave(_ keys: Set<String>, unsaidOf model: Model) throws {
    let note = try note(of: model)
    if note == nil, try known(of: model) != nil || hasUnreadable(model) { return }
    let left = note.map { $0.unsaid.intersection(keys) } ?? keys
    let new = left.isEmpty ? nil : AnswerNote.unsaid(left)
    if new != note { try setNote(new, of: model) }
  }
}

private struct UnsentFilter<Model: Sendable> {
  let isRemote: Bool
  let transaction: any OutboxTransaction<Model>
  /// The models with entries that the server has removed.
  var gone: [Model] = []

  mutating func apply(_ action: StoreWrite<Model>.Change) throws -> StoreWrite<Model>.Change {
    switch action {
    case .store(let models): .store(try split(models).free)
    case .update(let models): .update(try split(models).free)
    case .storeOrUpdate(let models): .storeOrUpdate(try split(models).free)
    case .remove(let models):
      .remove(
        try models.filter { try !transaction.setSeen(nil, ofInstance: $0, isRemote: isRemote) })
    case .mirror(let models, let criteria, let kept): try mirror(models, criteria, kept: kept)
    }
  }

  /// Splits models into those without entries and those with entries.
  private func split(_ models: [Model]) throws -> (free: [Model], unsent: [Model]) {
    var (free, unsent) = ([Model](), [Model]())
    for model in models {
      if try transaction.setSeen(model, ofInstance: model, isRemote: isRemote) {
        unsent.append(model)
      } else {
        free.append(model)
      }
    }
    return (free, unsent)
  }

  private mutating func mirror(
    _ models: [Model], _ criteria: Criteria, kept: [Model]
  ) throws -> StoreWrite<Model>.Change {
    let (free, unsent) = try split(models)
    // What is kept may have been in the answer.
    let missing = try self.missing(criteria, besides: unsent + kept)
    if isRemote, criteria.namesAllOfAnInstance(of: Model.self) {
      for model in missing {
        _ = try transaction.setSeen(nil, ofInstance: model, isRemote: isRemote)
      }
      gone += missing
    }
    var room = criteria
    room.limit = criteria.limit.map { max(0, $0.subtractingClamped(unsent.count)) }
    return .mirror(free, for: room, keeping: kept + unsent + missing)
  }

  /// Returns the models that match and have entries, and are not in the answer.
  private func missing(_ criteria: Criteria, besides answered: [Model]) throws -> [Model] {
    let keys = try Set(answered.map(transaction.instance))
    return try transaction.unsent(matching: criteria).filter {
      try !keys.contains(transaction.instance(of: $0))
    }
  }

  func apply(_ write: ListWrite<Model>) throws -> ListWrite<Model> {
    switch write {
    case .page(var page):
      page.kept += try split(page.models).unsent
      if let removing = page.removing { page.kept += try missing(removing, besides: page.kept) }
      return .page(page)
    case .collect(let page, _):
      _ = try split(page.models)
      return write
    case .replace(let list, let pages, let removing, let kept):
      return .replace(list, by: pages, removing: removing, keeping: kept + (try all()))
    case .delete(let list, let removing, let kept):
      let unsent = try removing.map { try transaction.unsent(matching: $0) } ?? []
      return .delete(list, removing: removing, keeping: kept + unsent)
    case .cut: return write
    }
  }

  /// Returns the models of all entries.
  private func all() throws -> [Model] {
    var (models, position) = ([Model](), Int64.min)
    while true {
      let records = try transaction.records(after: position, limit: 1_000)
      guard let last = records.last else { return models }
      models += records.compactMap { $0.entry?.model }
      position = last.position
    }
  }
}

extension OutboxTransaction {
  /// Whether the entries on an instance belong to a user who signed out, and whose models are gone.
  func isSetAside(_ model: Model) throws -> Bool {
    try entries.isHeld && held(model) == nil
  }

  /// Records what the server returned for an instance; false if it has no entries.
  fileprivate func setSeen(
    _ seen: Model?, ofInstance model: Model, isRemote: Bool
  ) throws -> Bool {
    let records = try records(of: key(of: model))
    guard let first = records.first, try !isSetAside(model) else { return false }
    guard isRemote, case .entry(var head) = first else { return true }
    switch (head.seen, seen) {
    case (nil, nil): return true
    case (let known?, let seen?): if Rebasing.areSame(known, seen) { return true }
    case (nil, _?), (_?, nil): break
    }
    (head.seen, head.isSeenSince) = (seen, head.wasAttempted)
    try replace(head)
    return true
  }
}

extension Criteria {
  /// Whether the server does not have an instance that its answer to these criteria does not
  /// contain.
  fileprivate func namesAllOfAnInstance<Model>(of type: Model.Type) -> Bool {
    guard limit == nil, offset == 0, cursor == nil else { return false }
    guard let predicate else { return true }
    let keys = (type as? any Identifiable.Type).map { ModelIdentity.of($0).keys } ?? []
    return switch predicate {
    case .comparison(let key, .equal, _), .isIn(let key, _): keys == [key]
    default: false
    }
  }
}
