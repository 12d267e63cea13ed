extension ModelChannel {
  /// Whether somebody has signed out since the entry was taken that this task sends.
  ///
  /// It is asked within the transaction, which comes before the one that empties the store, or sees it.
  var wasSignedOut: @Sendable () -> Bool {
    let (signOuts, number) = (environment.signOuts, SignOutCount.atSending)
    return { number.map { $0 != signOuts.number } ?? false }
  }

  /// What the queue's entries are about.
  func subjects() async throws -> [Outbox.Subject] {
    try await repository.look(isShort: false) { transaction in
      try transaction.allRecords().compactMap(\.entry).map { self.subject($0.model, $0.id) }
    }
  }
}

extension OutboxTransaction {
  /// Removes the row of a model, which the user is not to see who signs in next; its entries stay.
  func removeRow(of model: Model) throws {
    if let held = try held(model) { try remove(held) }
  }
}
