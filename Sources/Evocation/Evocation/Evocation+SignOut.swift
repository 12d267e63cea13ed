extension Evocation {
  /// Removes everything that Evocation has stored for the user who signs out.
  ///
  /// ```swift
  /// try await evocation.signOut(.block)
  /// ```
  ///
  /// It empties the local repositories of all registered models with their lists, their ledgers and
  /// that of the configuration, and everything that Evocation remembers of the remotes' answers.
  /// `unsent` says what it does with the outbox. Observers get an empty result, and observers of
  /// caches see that there is no cache.
  ///
  /// It waits for the running writes, and later writes wait for it. Reads that began before it and
  /// end after it fail with ``EvocationError/signedOut(model:)``, and Evocation does not save what
  /// they fetched. Concurrent sign-outs run one after another, and the later ones find nothing to
  /// remove.
  ///
  /// Canceling it has an effect only while it waits, and then it has changed nothing. If several
  /// SQLite files have data of the user, it empties all of them or none, even if the process is
  /// killed halfway. It then finishes when your app next opens and registers the files.
  ///
  /// - Parameter unsent: What to do with writes that the remote does not have yet.
  /// - Throws: ``EvocationError/unsentWrites(_:)`` for ``Outbox/UnsentWrites/block`` while there
  ///   are unsent writes; nothing has changed then. ``EvocationError/nestedSignOut(model:)`` inside
  ///   a repository's write. `CancellationError`. The error of a repository or a ledger, after the
  ///   others were emptied.
  public func signOut(_ unsent: Outbox.UnsentWrites) async throws {
    try await SignOut(
      environment: environment, registry: registry, outbox: outbox, unsent: unsent
    ).run()
  }
}
