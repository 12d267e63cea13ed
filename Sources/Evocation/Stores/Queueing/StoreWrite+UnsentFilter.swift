extension StoreWrite {
  /// Returns the write without changes to models that have unsent writes or a newer version here,
  /// and saves the versions.
  ///
  /// An ``OutboxRepository`` calls it for a write whose ``source`` is not the app. What the server
  /// returned for a model with unsent writes becomes what its first entry has seen. The base of the
  /// entry stays as it is. An answer whose version is older than the store's, as of a replica of the
  /// server that lags behind, says nothing about its model: the model stays, and so does its entry.
  package func sparingUnsent(in transaction: any OutboxTransaction<Model>) throws -> StoreWrite {
    var write = try completed(in: transaction)
    let isRemote = source == .remote || source == .live
    let late = isRemote ? try LateModels(write, in: transaction) : LateModels()
    if isRemote { try write.keepNotes(in: transaction, except: late) }
    if try late.isEmpty && transaction.isEmpty { return write }
    var sparing = UnsentFilter(isRemote: isRemote, transaction: transaction, late: late.ofList)
    write.list = try write.list.map { try sparing.apply($0) }
    sparing.late = late.ofChanges
    write.changes = try write.changes.map { try sparing.apply($0) }
    write.gone = sparing.gone
    return write
  }
}

/// The models of a write whose version is certainly older than the one in the store.
private struct LateModels {
  var ofList: Set<ByteText> = []
  var ofChanges: Set<ByteText> = []

  var isEmpty: Bool { ofList.isEmpty && ofChanges.isEmpty }

  init() {}

  init<Model>(_ write: StoreWrite<Model>, in transaction: any OutboxTransaction<Model>) throws {
    guard try transaction.hasNotes else { return }
    ofChanges = try transaction.late(write.versions)
    switch write.list {
    case .page: ofList = ofChanges
    case .collect(let page, _): ofList = try transaction.late(page.knownVersions)
    case .replace(_, let pages, _, _):
      guard pages.haveVersions else { return }
      var late: Set<ByteText> = []
      try pages.forEach { late.formUnion(try transaction.late($0.knownVersions)) }
      ofList = late
    case .cut, .delete, nil: break
    }
  }
}

extension OutboxTransaction {
  /// Returns the instances whose version here is newer than this one.
  fileprivate func late(_ versions: [VersionedModel<Model>]) throws -> Set<ByteText> {
    try versions.reduce(into: []) { late, version in
      guard let model = version.model, let new = version.version,
        let held = try self.version(of: model), VersionOrder.isOlder(new, than: held)
      else { return }
      late.insert(try instance(of: model))
    }
  }
}

extension StoreWrite {
  /// Saves what the write and its collected pages say besides values, and deletes what was known so of
  /// their other models.
  fileprivate func keepNotes(
    in transaction: any OutboxTransaction<Model>, except late: LateModels
  ) throws {
    let instances = { (kept: [Model]) in try late.ofList.union(kept.map(transaction.instance)) }
    switch list {
    case .page(let page):
      try transaction.keep(versions, unsaid, of: page.models, except: instances(page.kept))
    case .replace(_, let pages, _, let kept):
      guard try pages.haveVersions || unsaid.isNoted || transaction.hasNotes else { break }
      let kept = try instances(kept)
      try pages.forEach { page in
        let left = UnsaidKeys(page.absentKeys, of: page.models, isNoted: unsaid.isNoted)
        try transaction.keep(page.knownVersions, left, of: page.models, except: kept)
      }
    // The models of a collected page are not in the local store yet.
    case .collect, .cut, .delete, nil: break
    }
    try transaction.keep(
      versions, unsaid, of: changes.flatMap(\.models), except: late.ofChanges)
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
  /// The kept models have been written since, or are newer here, and keep their versions.
  fileprivate func keep(
    _ versions: [VersionedModel<Model>], _ unsaid: UnsaidKeys, of models: [Model],
    except kept: Set<ByteText>
  ) throws {
    let isNoted = unsaid.isNoted && !unsaid.isWhole
    if try versions.isEmpty && !isNoted && !hasNotes { return }
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
  /// The models that are newer here, and stay as those with entries do.
  var late: Set<ByteText>
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

  /// Splits models into those to write and those that stay: with entries, or newer here.
  private func split(_ models: [Model]) throws -> (free: [Model], staying: [Model]) {
    var (free, staying) = ([Model](), [Model]())
    for model in models {
      let isLate = try !late.isEmpty && late.contains(transaction.instance(of: model))
      if try isLate || transaction.setSeen(model, ofInstance: model, isRemote: isRemote) {
        staying.append(model)
      } else {
        free.append(model)
      }
    }
    return (free, staying)
  }

  private mutating func mirror(
    _ models: [Model], _ criteria: Criteria, kept: [Model]
  ) throws -> StoreWrite<Model>.Change {
    let (free, staying) = try split(models)
    // What is kept may have been in the answer.
    let missing = try self.missing(criteria, besides: staying + kept)
    if isRemote, criteria.namesAllOfAnInstance(of: Model.self) {
      for model in missing {
        _ = try transaction.setSeen(nil, ofInstance: model, isRemote: isRemote)
      }
      gone += missing
    }
    var room = criteria
    room.limit = criteria.limit.map { max(0, $0.subtractingClamped(staying.count)) }
    return .mirror(free, for: room, keeping: kept + staying + missing)
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
      page.kept += try split(page.models).staying
      if let removing = page.removing { page.kept += try missing(removing, besides: page.kept) }
      return .page(page)
    case .collect(let page, _):
      _ = try split(page.models)
      return write
    case .replace(let list, let pages, let removing, let kept):
      return .replace(
        list, by: pages, removing: removing, keeping: kept + (try all()) + (try late(in: pages)))
    case .delete(let list, let removing, let kept):
      let unsent = try removing.map { try transaction.unsent(matching: $0) } ?? []
      return .delete(list, removing: removing, keeping: kept + unsent)
    case .cut: return write
    }
  }

  private func late(in pages: any CollectedPages<Model>) throws -> [Model] {
    var models: [Model] = []
    guard !late.isEmpty else { return models }
    try pages.forEach { page in
      models += try page.models.filter { try late.contains(transaction.instance(of: $0)) }
    }
    return models
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
