/// Asks a remote repository for the changes since a change token, in place of all matching models.
package final class ChangesRequest<Model: Sendable>: Sendable {
  let criteria: Criteria
  /// The change token that local has; nil to ask for everything.
  let mark: String?
  /// The local repository to which the token belongs.
  private let binding: LocalBinding<Model>
  private let listed = Lock<Changes<Model>?>(nil)

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - criteria: The criteria of the find.
  ///   - record: The ledger's record of the criteria, with the change token.
  ///   - binding: The local repository.
  package init(_ criteria: Criteria, since record: FetchRecord?, in binding: LocalBinding<Model>) {
    self.criteria = criteria
    mark = record.flatMap(binding.mark)
    self.binding = binding
  }

  /// The changes of the last answer; nil if that was an ordinary answer.
  package var changes: FetchedChanges? {
    listed.withLock { $0 }.map { changes in
      FetchedChanges(
        removed: changes.isWhole ? [] : changes.removed, mark: changes.mark,
        since: changes.isWhole ? nil : mark, binding: binding)
    }
  }

  /// Asks for the changes, or for all models if the remote lists no changes for these criteria.
  func ask(_ repository: any Repository<Model>) async throws -> Answer<Model> {
    let lister = repository.role((any ChangesRepository<Model>).self)
    let response = try await lister?.changes(criteria, since: mark)
    guard let response, let changes = response.value else {
      listed.withLock { $0 = nil }
      return Answer(try await repository.find(criteria))
    }
    // Without a token, the changes have no base, so they are all models.
    var whole = changes
    whole.isWhole = changes.isWhole || mark == nil
    listed.withLock { $0 = whole }
    return Answer(response.map { _ in changes.models })
  }
}

/// The part of an answer with changes that is not models.
package struct FetchedChanges: Sendable {
  /// The ids of the removed models.
  let removed: [Criteria.Scalar]
  /// The server's next change token.
  let mark: String?
  /// The token on which the changes are based; nil if the models are all that match.
  package let since: String?
  /// The local repository to which the token belongs.
  let binding: any AnyObject & Sendable

  /// Returns the write that saves the changes, with the token.
  ///
  /// If the app has written one of the models in the meantime, local lacks the server's state of
  /// it. The token then stays as it was, so that the server lists the change again.
  func write<Model>(
    _ fetched: FetchedModels<Model>, for criteria: Criteria, stamp: FetchStamp?
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
      let key = ModelAccess<Model>.make()?.identity.key ?? "id"
      let named = Criteria(.isIn(key, removed))
      let gone = criteria.predicate.map { Criteria($0) && named } ?? named
      actions.append(.mirror([], for: gone, keeping: fetched.kept + fetched.models))
    }
    return StoreWrite(
      actions, stamp: stamp, source: .remote, versions: fetched.versions, unsaid: fetched.unsaid)
  }
}

extension Wiring {
  /// Returns whether the remote lists changes for the criteria, and local can keep the token.
  package func listsChanges(of criteria: Criteria) -> Bool {
    criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil
      && lister?.listsChanges ?? false && binding.transactional != nil
      && ModelAccess<Model>.make()?.schema.identifier != nil
  }
}

extension Proxy {
  /// Saves changes in local, in their turn.
  ///
  /// - Throws: ``OutdatedStamp`` if local no longer has the state that the changes are based on,
  ///   and errors of the store.
  package func save(
    _ changes: FetchedChanges, _ fetched: FetchedModels<Model>, for criteria: Criteria,
    stamp: FetchStamp?, in binding: LocalBinding<Model>, since begin: WriteLog<Model>.Mark
  ) async throws {
    guard let local = binding.transactional, changes.since == nil || changes.binding === binding
    else {
      throw OutdatedStamp()
    }
    recordVersions(fetched.versions)
    let write = changes.write(fetched, for: criteria, stamp: stamp)
    let commit = try await local.save(write)
    begin.recordSaved(fetched.models, removed: commit.removed(by: write))
  }
}
