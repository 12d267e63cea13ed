extension StoreWrite {
  /// The write without what it would do to models that have unsent writes.
  ///
  /// An ``OutboxRepository`` calls it for a write whose ``source`` is not the app. What the remote
  /// said of such models becomes what their first entry is based on.
  public func sparingUnsent(in transaction: any OutboxTransaction<Model>) throws -> StoreWrite {
    if try transaction.isEmpty { return self }
    let sparing = Sparing(isRemote: source == .remote, transaction: transaction)
    var write = self
    write.actions = try actions.map(sparing.apply)
    return write
  }
}

private struct Sparing<Model: Sendable> {
  let isRemote: Bool
  let transaction: any OutboxTransaction<Model>

  func apply(_ action: StoreWrite<Model>.Action) throws -> StoreWrite<Model>.Action {
    switch action {
    case .store(let models): .store(try split(models).free)
    case .update(let models): .update(try split(models).free)
    case .storeOrUpdate(let models): .storeOrUpdate(try split(models).free)
    case .remove(let models):
      .remove(try models.filter { try !transaction.setBase(nil, ofInstance: $0, isRemote) })
    case .mirror(let models, let criteria, let kept): try mirror(models, criteria, kept)
    case .list(let write): .list(try apply(write))
    }
  }

  /// The models that have no entries, and those that have.
  private func split(_ models: [Model]) throws -> (free: [Model], unsent: [Model]) {
    var (free, unsent) = ([Model](), [Model]())
    for model in models {
      if try transaction.setBase(model, ofInstance: model, isRemote) {
        unsent.append(model)
      } else {
        free.append(model)
      }
    }
    return (free, unsent)
  }

  private func mirror(
    _ models: [Model], _ criteria: Criteria, _ kept: [Model]
  ) throws -> StoreWrite<Model>.Action {
    let (free, unsent) = try split(models)
    let missing = try self.missing(criteria, besides: unsent)
    if isRemote, criteria.namesAllOfAnInstance {
      for model in missing { _ = try transaction.setBase(nil, ofInstance: model, isRemote) }
    }
    var room = criteria
    room.limit = criteria.limit.map { max(0, $0.subtractingClamped(unsent.count)) }
    return .mirror(free, for: room, keeping: kept + unsent + missing)
  }

  /// The models that match and have entries, and were not answered.
  private func missing(_ criteria: Criteria, besides answered: [Model]) throws -> [Model] {
    let keys = try Set(answered.map(transaction.instance))
    return try transaction.unsent(matching: criteria).filter {
      try !keys.contains(transaction.instance(of: $0))
    }
  }

  private func apply(_ write: ListWrite<Model>) throws -> ListWrite<Model> {
    switch write {
    case .page(var page):
      page.kept += try split(page.models).unsent
      if let removing = page.removing { page.kept += try missing(removing, besides: page.kept) }
      return .page(page)
    case .draftPage(let page, let draft):
      _ = try split(page.models)
      return .draftPage(page, draft)
    case .takeDraft(let list, let removing, let kept):
      return .takeDraft(of: list, removing: removing, keeping: kept + (try all()))
    case .delete(let list, let removing, let kept):
      let unsent = try removing.map { try transaction.unsent(matching: $0) } ?? []
      return .delete(list, removing: removing, keeping: kept + unsent)
    case .deleteDraft, .cut: return write
    }
  }

  /// The models of all entries.
  private func all() throws -> [Model] {
    var (models, position) = ([Model](), Int64.min)
    while true {
      let records = try transaction.records(after: position, onlyHeads: false, limit: 1_000)
      guard let last = records.last else { return models }
      models += records.compactMap { $0.entry?.model }
      position = last.position
    }
  }
}

extension OutboxTransaction {
  /// Notes what the remote said of an instance; false where it has no entries.
  fileprivate func setBase(
    _ base: Model?, ofInstance model: Model, _ isRemote: Bool
  ) throws -> Bool {
    let records = try records(of: key(of: model))
    guard let first = records.first else { return false }
    if isRemote, case .entry(var head) = first {
      head.base = base
      try replace(head)
    }
    return true
  }
}

extension Criteria {
  /// Whether an instance that does not match them is one that the answering side does not have.
  fileprivate var namesAllOfAnInstance: Bool {
    guard limit == nil, offset == 0, cursor == nil else { return false }
    guard let predicate else { return true }
    return switch predicate {
    case .comparison("id", .equal, _), .isIn("id", _): true
    default: false
    }
  }
}
