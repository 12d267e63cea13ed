/// Answers that do not have all keys of their models, or that never have some.
///
/// The values that an answer leaves out are those that local has when the answer is saved, in the same
/// transaction where local has transactions. Of a model with unsent writes they are those that the
/// server was last known to have.
extension StoreWrite {
  /// Returns the write with whole models.
  ///
  /// The pages of a refresh are whole while the transaction lasts.
  func completed(in transaction: any OutboxTransaction<Model>) throws -> StoreWrite {
    var write = self
    if case .replace(let list, let pages, let removing, let kept) = self.list {
      let whole = CompletedPages(pages, unsaid, in: transaction)
      write.list = .replace(list, by: whole, removing: removing, keeping: kept)
    }
    guard !unsaid.isEmpty else { return write }
    if case .page(var page) = self.list {
      page.models = try unsaid.completed(page.models, fromAll: transaction.knownStates)
      write.list = .page(page)
    }
    write.changes = try changes.map { change in
      try change.map { try unsaid.completed($0, fromAll: transaction.knownStates) }
    }
    return write
  }

  /// Returns the write with the pages of a refresh in memory, as they are now.
  func holdingPages() throws -> StoreWrite {
    guard case .replace(let list, let pages, let removing, let kept) = self.list else {
      return self
    }
    let held = InMemoryPages<Model>()
    try pages.forEach { try held.add($0) }
    var write = self
    write.list = .replace(list, by: held, removing: removing, keeping: kept)
    return write
  }

  /// Returns the write with whole models, for a store without transactions.
  ///
  /// The pages of its lists have been completed when they were fetched.
  func completed(in store: any Repository<Model>) async throws -> StoreWrite {
    guard !unsaid.isEmpty, let access = ModelAccess<Model>.make() else { return self }
    let written = changes.flatMap(\.written)
    let held = try await store.models(withIDs: ModelID.each(of: written), access)
    var write = self
    write.changes = try changes.map { change in
      try change.map { try unsaid.completed($0) { held[try access.id($0)] } }
    }
    return write
  }
}

extension StoreWrite.Change {
  /// The models that it adds or changes.
  fileprivate var written: [Model] {
    switch self {
    case .store(let models), .update(let models), .storeOrUpdate(let models),
      .mirror(let models, _, _):
      models
    case .remove: []
    }
  }

  /// Returns the change with other states of the models that it adds or changes.
  fileprivate func map(_ transform: ([Model]) throws -> [Model]) rethrows -> Self {
    switch self {
    case .store(let models): .store(try transform(models))
    case .update(let models): .update(try transform(models))
    case .storeOrUpdate(let models): .storeOrUpdate(try transform(models))
    case .mirror(let models, let criteria, let kept):
      .mirror(try transform(models), for: criteria, keeping: kept)
    case .remove: self
    }
  }
}

extension OutboxTransaction {
  /// Returns what is known of the server's state of a model; nil for one that local does not have.
  package func known(of model: Model) throws -> Model? {
    if try !isEmpty, case .entry(let head)? = try records(of: key(of: model)).first {
      if let known = head.seen ?? head.base { return known }
    }
    return try held(model)
  }

  /// Returns the same for each of many models, by its place (`prefetch 100,000`).
  fileprivate func knownStates(of models: [Model]) throws -> [Int: Model] {
    if try isEmpty { return try held(models) }
    var all: [Int: Model] = [:]
    for (place, model) in models.enumerated() { all[place] = try known(of: model) }
    return all
  }
}

/// The pages of a refresh, with whole models.
private final class CompletedPages<Model: Sendable>: CollectedPages,
  @unchecked Sendable  // it ends with the transaction, on one thread
{
  private let pages: any CollectedPages<Model>
  private let unsaid: UnsaidKeys
  private let transaction: any OutboxTransaction<Model>

  init(
    _ pages: any CollectedPages<Model>, _ unsaid: UnsaidKeys,
    in transaction: any OutboxTransaction<Model>
  ) {
    (self.pages, self.unsaid, self.transaction) = (pages, unsaid, transaction)
  }

  var haveVersions: Bool { pages.haveVersions }

  func add(_ page: CollectedPage<Model>) throws { try pages.add(page) }

  func forEach(_ body: (CollectedPage<Model>) throws -> Void) throws {
    try pages.forEach { page in
      var page = page
      let unsaid = UnsaidKeys(page.absentKeys, of: page.models, local: unsaid.ofAll)
      page.models = try unsaid.completed(page.models, fromAll: transaction.knownStates)
      try body(page)
    }
  }
}
