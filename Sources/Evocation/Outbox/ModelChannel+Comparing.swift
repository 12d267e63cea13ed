// What the server has of an entry's model, and whether the entry was made on that.
extension ModelChannel {
  var detection: Outbox.ConflictDetection {
    proxy.outboxLink.state.withLock { $0.detection }
  }

  /// Asks the server for an entry's model before sending, if no version shows a change.
  ///
  /// - Returns: The entry to send, and what the server has, as far as is known, with the version that
  ///   the write is to change.
  /// - Throws: What keeps the entry from being sent, as ``Outdated`` if that is what the server has.
  func compare(_ sending: Sending) async throws -> (entry: Entry, known: Versioned) {
    let entry = sending.entry
    guard detection == .automatic, entry.needsComparison else {
      return (entry, Versioned(entry.base, version: entry.version))
    }
    // A model that the server cannot be asked for alone is sent without a comparison.
    guard let theirs = try await fetch(sending) else { return (entry, Versioned(nil)) }
    let filled = entry.filled(from: theirs.model) ?? entry
    if let difference = filled.difference(from: theirs) {
      throw Outdated(known: theirs, difference: difference)
    }
    return (filled, theirs)
  }

  /// What the server has is not what an entry was made on.
  struct Outdated: Error {
    let known: Versioned
    let difference: any Error
  }

  /// Asks the server for an entry's model; nil if the id is not a single value to ask by.
  ///
  /// - Throws: An error if the answer is another model, which says nothing about this one; what the
  ///   repository throws.
  func fetch(_ sending: Sending) async throws -> Versioned? {
    let (entry, remote) = (sending.entry, sending.remote)
    guard let criteria = criteria(of: entry.model, in: remote) else { return nil }
    recordAsked(of: entry)
    let answer = completed(
      try await race.value { try await remote.findOne(criteria) },
      from: entry.base ?? entry.model)
    if let found = answer.model, !isSame(found, entry.model) {
      throw AnotherIsFound(model: self.model)
    }
    return answer
  }

  /// Whether two models are one instance.
  func isSame(_ one: Model, _ other: Model) -> Bool {
    let ids = ModelID.all(of: [one, other])?.map(\.key)
    return ids.map { $0[0] == $0[1] } ?? true
  }

  /// Returns the criteria that ask for one model; nil if its id is not a single value.
  private func criteria(of model: Model, in remote: any Repository<Model>) -> Criteria? {
    func own(_ model: some Identifiable) -> Criteria.Scalar? { ModelID.ownScalar(of: model.id) }
    let scalars = ModelID.all(of: [model])?.first?.scalars ?? []
    let id = scalars.count == 1 ? scalars[0] : (model as? any Identifiable).flatMap { own($0) }
    let known = (Model.self as? any Identifiable.Type).flatMap { ModelIdentity.of($0).key }
    let key = remote.role((any SharedService).self)?.identifierKey ?? known ?? "id"
    return id.map { Criteria(.comparison(key, .equal, .init($0))) }
  }

  /// Records that the server is asked about an entry now, whose answer is no older than earlier reads.
  func recordAsked(of entry: Entry) {
    AskedMarks.current?.set(proxy.log.mark(of: nil), for: entry.id)
  }

  /// Has reads that began before the server was asked leave its answer as it is.
  func recordSeen(_ theirs: Versioned, of entry: Entry) {
    let mark = AskedMarks.current?.mark(for: entry.id) as? WriteLog<Model>.Mark
    if let model = theirs.model {
      mark?.recordSaved([model])
    } else {
      mark?.recordSaved([], removed: [entry.model])
    }
  }
}

extension Outbox.Entry {
  /// Returns an entry with the server's values of what it was not made on; nil if there are none.
  ///
  /// There are two cases, and in both the server is to keep its value: no answer that the base is from had
  /// the property, or the entry is an update, and your app had no value and gave none.
  func filled(from theirs: Model?) -> Self? {
    guard kind != .store, let theirs, let base else { return nil }
    var keys = note?.unsaid ?? []
    if kind != .remove { keys.formUnion(Rebasing.values(of: theirs, missingIn: (base, model))) }
    if keys.isEmpty { return nil }
    var filled = self
    let whole = Rebasing.completed(base, under: keys, from: theirs)
    filled.base = whole
    filled.model = Rebasing.rebased(model, from: base, onto: whole)
    return filled
  }

  /// Whether no version of the base would show that the server has changed what the entry changes.
  var needsComparison: Bool {
    // An update of what the local store did not have, or behind an entry that was given up because
    // the model was gone. A fetch has shown since what the server has, which the update was not made
    // on.
    let isOfNothing = kind == .update && base == nil && refreshed != nil
    let changes = kind == .remove || base != nil && kind != .store || isOfNothing
    return changes && version == nil
  }

  /// Returns the error that keeps the entry from being sent if the server has this; nil for none.
  func difference(from theirs: VersionedModel<Model>) -> (any Error)? {
    switch (theirs.model, base) {
    case (nil, _): kind == .remove ? nil : EntryIsMissing()
    case (let model?, let base?): Rebasing.areSame(model, base) ? nil : EntryIsOutdated()
    // A model that the local store did not have is removed in any state.
    case (_?, nil): kind == .remove ? nil : EntryIsOutdated()
    }
  }

  /// Whether the server has the base of the entry, as far as can be seen.
  func isUnchanged(in theirs: VersionedModel<Model>) -> Bool {
    if let known = version, let version = theirs.version, known != version { return false }
    return theirs.model == nil
      ? createsModel
      : (filled(from: theirs.model) ?? self).difference(from: theirs) == nil
  }

  /// Whether the server has all that the entry changes, or both have removed the model.
  func isDone(in theirs: VersionedModel<Model>) -> Bool {
    guard let present = theirs.model, kind != .remove else {
      return theirs.model == nil && kind == .remove
    }
    let mine = base.map { Rebasing.rebased(model, from: $0, onto: present) }
    return Rebasing.areSame(present, mine ?? model)
  }
}

/// The server does not have the model that the write changes.
struct EntryIsMissing: ClassifiedError, CustomStringConvertible {
  var failureKind: FailureKind { .conflict }
  var description: String { "The server does not have the model that your app changed." }
}

/// The server was asked for one model, and answered with another.
struct AnotherIsFound: ClassifiedError, CustomStringConvertible {
  let model: String

  var failureKind: FailureKind { .permanent }
  var description: String {
    "Asking the server for one \(model) failed: it answered with a model that has another id; "
      + "check findOne(_:) of the remote repository."
  }
}

/// A comparison has shown that the server has another state than the base of the write.
struct EntryIsOutdated: Error, CustomStringConvertible {
  var description: String { "The model has changed on the server since your app wrote it." }
}
