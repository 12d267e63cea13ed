extension Evocation {
  /// Makes several writes as one: they are kept as a whole or not at all, and sent in their order.
  ///
  /// ```swift
  /// let delivery = try await evocation.together { writes in
  ///   try await writes.updateOne(note)
  ///   try await writes.storeOne(Remark(noteID: note.id, text: "b"))
  /// }
  /// ```
  ///
  /// The writes are carried out in one transaction when the closure has returned, whatever the strategies of
  /// the models say; so reads within it see what was there before. The models lie in one store, such as one
  /// database. None of the writes is sent before all can be. A service whose batch endpoint carries out all
  /// or none gets them in one request; others get them one after another, and one that is refused parks those
  /// after it too. What is left is parked, sent again and discarded as a whole.
  ///
  /// Like every write, it waits for those on the same models that were made before it.
  ///
  /// - Parameter writes: Makes the writes; what it throws is thrown, and nothing was written then.
  /// - Returns: What becomes of the writes.
  /// - Throws: What the closure throws; ``EvocationError/alreadyExists(_:)`` for a model to be added that is
  ///   there already; ``EvocationError/nestedWrite(model:circle:)`` inside a repository's write;
  ///   `CancellationError`; what the local store throws. Nothing was written then.
  public func together(
    _ writes: @escaping @Sendable (Together) async throws -> Void
  ) async throws -> Outbox.Delivery {
    let unit = WriteUnit(outbox)
    try await writes(Together(unit: unit))
    return try await unit.keep()
  }

  /// Makes several writes as one, through ``shared``.
  public static func together(
    _ writes: @escaping @Sendable (Together) async throws -> Void
  ) async throws -> Outbox.Delivery {
    try await shared.together(writes)
  }
}
