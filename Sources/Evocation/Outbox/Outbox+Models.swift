/// The outbox by models in place of entries.
extension Outbox {
  /// Returns the parked entries of a model type, the oldest first.
  ///
  /// A parked entry failed for good, or needs a decision. It waits for
  /// ``retry(_:)-(Outbox.Entry<Model>)``, ``resend(_:as:)-(_,Model)`` or
  /// ``discard(_:)-(Outbox.Entry<Model>)``. ``Entry/failure`` has the reason, and what the service
  /// said.
  ///
  /// ```swift
  /// for entry in try await outbox.parked(Note.self) {
  ///   print(entry.model.title, entry.failure?.reason ?? "")
  /// }
  /// ```
  ///
  /// - Throws: As ``entries(of:)``.
  public func parked<Model: Sendable>(_ model: Model.Type) async throws -> [Entry<Model>] {
    try await entries(of: model).filter { $0.failure != nil }
  }

  /// Discards all unsent changes of a model, and restores the server's state in the local store.
  ///
  /// ```swift
  /// try await outbox.discard(note)
  /// ```
  ///
  /// The outbox finds the model by its id. A model without unsent changes is not an error.
  ///
  /// - Throws: ``EvocationError`` for a model type without an outbox, and what the local repository
  ///   throws.
  public func discard<Model: Identifiable & Sendable>(_ model: Model) async throws {
    try await forFirstEntry(of: model) { try await self.discard($0) }
  }

  /// Sends the unsent changes of a model again, if the first of them is parked or waits.
  ///
  /// The outbox finds the model by its id. A model without unsent changes is not an error.
  ///
  /// - Throws: As ``discard(_:)-(Model)``.
  public func retry<Model: Identifiable & Sendable>(_ model: Model) async throws {
    try await forFirstEntry(of: model) { try await self.retry($0) }
  }

  /// Runs the body with the oldest entry of the model.
  ///
  /// If that was sent in the meantime, it runs the body with the next one.
  private func forFirstEntry<Model: Identifiable & Sendable>(
    of model: Model, _ body: (Entry<Model>) async throws -> Void
  ) async throws {
    var sent: String?
    while let entry = try await entries(of: Model.self, id: model.id).first {
      do {
        return try await body(entry)
      } catch EvocationError.entryNotFound where entry.id != sent {
        sent = entry.id
      }
    }
  }
}
