/// The outbox by models in place of entries.
extension Outbox {
  /// Returns the entries of a model type that are parked, the oldest first.
  ///
  /// A parked entry failed for good, or needs a decision; it waits for ``retry(_:)-(Entry<Model>)``,
  /// ``resend(_:as:)-(Entry<Model>,_)`` or ``discard(_:)-(Entry<Model>)``. ``Entry/failure`` says why.
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

  /// Discards all unsent changes of a model; the local store gets back what the server has.
  ///
  /// ```swift
  /// try await outbox.discard(note)
  /// ```
  ///
  /// The model is found by its id. A model without unsent changes is not an error.
  ///
  /// - Throws: ``EvocationError`` for a model type without an outbox, and what the local repository
  ///   throws.
  public func discard<Model: Identifiable & Sendable>(_ model: Model) async throws {
    try await forFirstEntry(of: model) { try await self.discard($0) }
  }

  /// Sends the unsent changes of a model again, of which the first is parked or waits.
  ///
  /// The model is found by its id. A model without unsent changes is not an error.
  ///
  /// - Throws: As ``discard(_:)-(Model)``.
  public func retry<Model: Identifiable & Sendable>(_ model: Model) async throws {
    try await forFirstEntry(of: model) { try await self.retry($0) }
  }

  /// Runs the body with the oldest entry of the model, and with the next one where the oldest was sent
  /// in the meantime.
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

  /// The former name of ``settle(_:)``, which leaves the models in the local store.
  ///
  /// To sign a user out of everything, call ``Evocation/signOut(_:)-method``.
  @available(*, deprecated, renamed: "settle(_:)")
  public func signOut(_ unsent: UnsentWrites) async throws { try await settle(unsent) }
}

extension Outbox {
  /// Why an entry is parked.
  public struct Failure: Sendable, Hashable {
    /// The kind of failure, such as a conflict.
    public let kind: FailureKind

    /// What failed, in a sentence for the developer.
    public let reason: String
  }
}

extension Outbox.Entry {
  /// Why the entry is parked; nil for an entry that is not.
  public var failure: Outbox.Failure? {
    guard case .parked(let kind, let reason) = state else { return nil }
    return Outbox.Failure(kind: kind, reason: reason)
  }
}
