extension ModelChannel {
  /// Whether the user has signed out since the entry that this task sends was taken.
  ///
  /// It is called inside a transaction, which either precedes the one that empties the store, or
  /// sees it.
  var wasSignedOut: @Sendable () -> Bool {
    { [session = Session.atSending] in session?.isOver ?? false }
  }

  /// Returns the models and ids of the queue's entries.
  package func subjects() async throws -> [Outbox.Subject] {
    try await repository.look(isShort: false) { transaction in
      try transaction.allRecords().compactMap(\.entry).map { self.subject($0.model, $0.id) }
    }
  }
}

extension OutboxTransaction {
  /// Removes the row of a model, which the next user must not see.
  ///
  /// Its entries stay.
  func removeRow(of model: Model) throws {
    if let held = try held(model) { try remove(held) }
  }
}
