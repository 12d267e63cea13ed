extension Evocation {
  /// Executes several writes as one: Evocation saves all of them or none, and sends them in order.
  ///
  /// ```swift
  /// let delivery = try await evocation.together { writes in
  ///   try await writes.updateOne(note)
  ///   try await writes.storeOne(Remark(noteID: note.id, text: "b"))
  /// }
  /// ```
  ///
  /// Evocation executes the writes in one transaction when your closure has returned, whichever
  /// strategies the models have. Reads inside the closure therefore see the earlier state. The
  /// models must be in one store, such as one database.
  ///
  /// The outbox sends none of the writes before it can send all of them. A service whose batch is all
  /// or nothing gets them in one request. Others get them one after another; a refusal parks the
  /// refused write and those after it (they failed for good, and wait for your app). Your app
  /// retries or discards the rest as a whole.
  ///
  /// Like every write, it waits for earlier writes on the same models.
  ///
  /// - Parameter writes: Makes the writes. Its error is thrown, and nothing is written then.
  /// - Returns: What becomes of the writes.
  /// - Throws: The error of the closure; ``EvocationError/alreadyExists(_:)`` for a new model whose
  ///   id exists; ``EvocationError/nestedWrite(model:circle:)`` inside a repository's write;
  ///   `CancellationError`; the error of the local store. Nothing was written then.
  public func together(
    _ writes: @escaping @Sendable (Together) async throws -> Void
  ) async throws -> Outbox.Delivery {
    let unit = WriteUnit(parts.outbox)
    try await writes(Together(unit: unit))
    return try await unit.keep()
  }
}
