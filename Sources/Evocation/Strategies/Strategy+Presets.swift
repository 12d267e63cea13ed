/// Rules for single actions, to be given to ``Strategy/init(rules:)``.
extension Strategy.Rule {
  /// Remote, local when it fails, and local kept in step.
  public static let remoteFirst = Self(target: .remote, fallback: .local)

  /// Local, remote when it fails, and remote kept in step.
  public static let localFirst = Self(target: .local, fallback: .remote)

  /// Remote and nothing else.
  public static let remoteOnly = Self(target: .remote, synchronize: .off)

  /// Local and nothing else.
  public static let localOnly = Self(target: .local, synchronize: .off)

  /// Local when it was fetched recently enough, else as ``remoteFirst``.
  public static func cacheFirst(maxAge: Duration) -> Self {
    Self(target: .remote, fallback: .local, maxAge: maxAge)
  }

  /// What local has, at once; when that is older than `maxAge`, the remote is asked behind it.
  public static func staleWhileRevalidate(maxAge: Duration) -> Self {
    Self(target: .remote, fallback: .local, maxAge: maxAge, revalidates: true)
  }
}

extension Strategy {
  /// Reads and removals remote first, the other writes local first, each with the other as its
  /// fallback and kept in step: the default of Evocation 1.0.
  ///
  /// A removal that falls back to local is not sent later; ``explain()`` says so.
  public static func `default`() -> Strategy {
    Strategy(remoteFirst: .remoteFirst, localFirst: .localFirst)
  }

  /// Reads from remote or else from local; writes to remote alone, and local follows.
  public static let remoteFirst = Strategy(reads: .remoteFirst, writes: Rule(target: .remote))

  /// Reads from local, or from remote when local fails or has nothing; writes to local, and remote
  /// follows.
  public static let localFirst = Strategy(
    reads: Rule(
      target: .local, fallback: .remote, synchronize: .off, fallsBack: .onErrorOrEmpty
    ),
    writes: Rule(target: .local)
  )

  /// Everything from and to the remote.
  public static let remoteOnly = Strategy(Rule.remoteOnly)

  /// Everything from and to the local repository.
  public static let localOnly = Strategy(Rule.localOnly)

  /// Reads from local while it is fresh, else as ``remoteFirst``; writes as there.
  public static func cacheFirst(maxAge: Duration) -> Strategy {
    Strategy(reads: .cacheFirst(maxAge: maxAge), writes: Rule(target: .remote))
  }

  /// Reads from local at once and refreshes what is old behind it; writes as ``remoteFirst``.
  public static func staleWhileRevalidate(maxAge: Duration) -> Strategy {
    Strategy(reads: .staleWhileRevalidate(maxAge: maxAge), writes: Rule(target: .remote))
  }

  /// Reads from local at once and refreshes behind it; writes to local, and sends them when it can.
  ///
  /// The local repository must offer an outbox.
  public static let offlineFirst = Strategy(
    reads: .staleWhileRevalidate(maxAge: .zero),
    writes: Rule(target: .local, synchronize: .outbox)
  )
}
