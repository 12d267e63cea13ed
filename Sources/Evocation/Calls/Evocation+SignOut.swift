extension Evocation {
  /// Empties everything that is known of the user who signs out.
  ///
  /// ```swift
  /// try await evocation.signOut(.block)
  /// ```
  ///
  /// Emptied are the local repositories of all registered models with their lists, the ledgers of these and
  /// of the configuration, what is remembered of the remotes' answers, and, as it is told, the outbox.
  /// Observers see an empty answer, and those of caches that there is none.
  ///
  /// It waits for the writes that run, and stands before those that are made later. Reads that began before
  /// it and end after it give ``EvocationError/signedOut(model:)``, and what they fetched is not saved.
  /// Of several at once, one comes after another, and finds nothing to do.
  ///
  /// Cancelling it has an effect as long as it waits, and nothing was changed then. What several SQLite
  /// files have is emptied in all of them or in none, also where the process is killed half-way: the rest is
  /// done when one of them is opened again.
  ///
  /// - Parameter unsent: What becomes of writes that the remote does not have yet.
  /// - Throws: ``EvocationError/unsentWrites(_:)`` for ``Outbox/UnsentWrites/block`` while there are some,
  ///   and nothing was changed then; ``EvocationError/nestedSignOut(model:)`` inside a repository's write;
  ///   `CancellationError`; what a repository or a ledger throws, after the others were emptied.
  public func signOut(_ unsent: Outbox.UnsentWrites) async throws {
    try await SignOut(
      environment: environment, registry: registry, outbox: outbox, unsent: unsent
    ).run()
  }

  /// Empties everything that is known of the user who signs out, through ``shared``.
  public static func signOut(_ unsent: Outbox.UnsentWrites) async throws {
    try await shared.signOut(unsent)
  }
}
