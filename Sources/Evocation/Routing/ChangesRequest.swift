/// Asks a remote repository for what changed since a mark, in place of all that match.
final class ChangesRequest<Model: Sendable>: Sendable {
  let criteria: Criteria
  /// The mark that local has; nil to ask for everything.
  let mark: String?
  /// Where local is that the mark is of.
  private let place: LocalPlace<Model>
  private let listed = Lock<Changes<Model>?>(nil)

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - criteria: What is asked for.
  ///   - record: What the ledger has of them, with the mark.
  ///   - place: Where local is.
  init(_ criteria: Criteria, since record: FetchRecord?, in place: LocalPlace<Model>) {
    self.criteria = criteria
    mark = record.flatMap(place.mark)
    self.place = place
  }

  /// What the last answer listed; nil where it was an ordinary one.
  var changes: FetchedChanges? {
    listed.withLock { $0 }.map { changes in
      FetchedChanges(
        removed: changes.isWhole ? [] : changes.removed, mark: changes.mark,
        since: changes.isWhole ? nil : mark, place: place)
    }
  }

  /// Asks for the changes, or for all models where none are listed for these criteria.
  func ask(_ repository: any Repository<Model>) async throws -> Answer<Model> {
    let lister = repository as? any ChangesRepository<Model>
    let response = try await lister?.changes(criteria, since: mark)
    guard let response, let changes = response.value else {
      listed.withLock { $0 = nil }
      return Answer(try await repository.find(criteria))
    }
    // Without a mark there is nothing that it could be the changes of.
    var whole = changes
    whole.isWhole = changes.isWhole || mark == nil
    listed.withLock { $0 = whole }
    return Answer(response.map { _ in changes.models })
  }
}

/// What came with the models of an answer that lists changes.
struct FetchedChanges: Sendable {
  /// The ids of those that were removed.
  let removed: [Criteria.Scalar]
  /// The service's next mark.
  let mark: String?
  /// The mark since which they changed; nil where the models are all that match.
  let since: String?
  /// Where local is that the mark is of.
  let place: any AnyObject & Sendable

  /// The write that saves them, with the mark.
  ///
  /// Where the app has written one of the models meanwhile, local does not have what the service says
  /// of it; so the mark stays where it was, and the service says it again.
  func write<Model>(
    _ fetched: FetchedModels<Model>, for criteria: Criteria, _ stamp: FetchStamp?
  ) -> StoreWrite<Model> {
    let isInPart = fetched.dropped > 0 || !removed.isEmpty && !fetched.kept.isEmpty
    let stamp = stamp.map { stamp in
      var record = stamp.record
      record.mark = isInPart ? since : mark
      return stamp.with(record, since: since)
    }
    guard since != nil else { return fetched.write(for: criteria, stamp) }
    var actions: [StoreWrite<Model>.Change] = []
    if !fetched.models.isEmpty { actions.append(.storeOrUpdate(fetched.models)) }
    if !removed.isEmpty {
      let named = Criteria(.isIn("id", removed))
      let gone = criteria.predicate.map { Criteria($0) && named } ?? named
      actions.append(.mirror([], for: gone, keeping: fetched.kept + fetched.models))
    }
    return StoreWrite(actions, stamp: stamp, source: .remote, versions: fetched.versions)
  }
}

extension Wiring {
  /// Whether the remote lists what changed for the criteria, and local can keep the mark with it.
  func listsChanges(of criteria: Criteria) -> Bool {
    criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil
      && lister?.listsChanges ?? false && place.transactional != nil
      && ModelAccess<Model>.make()?.schema["id"] != nil
  }
}

extension Proxy {
  /// Saves changes in local, in their turn.
  ///
  /// - Throws: ``OutdatedStamp`` where local is no longer what they are the changes of, and what the
  ///   store throws.
  func land(
    _ changes: FetchedChanges, _ fetched: FetchedModels<Model>, for criteria: Criteria,
    _ stamp: FetchStamp?, in place: LocalPlace<Model>, since begin: WriteLog<Model>.Mark
  ) async throws {
    guard let local = place.transactional, changes.since == nil || changes.place === place else {
      throw OutdatedStamp()
    }
    noteVersions(fetched.versions)
    let write = changes.write(fetched, for: criteria, stamp)
    let commit = try await local.commit(write)
    begin.noteLanded(fetched.models, removed: commit.removed(by: write))
  }
}
