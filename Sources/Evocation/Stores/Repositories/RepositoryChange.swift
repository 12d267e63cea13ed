/// The changes that a commit made in a repository, and the version of its state then.
///
/// ```swift
/// handler(.models(stored: [car], version: 7))
/// ```
public struct RepositoryChange<Model: Sendable>: Sendable, PlainlyPrinted {
  /// How much the repository knows about a change.
  public enum Extent: Sendable, PlainlyPrinted {
    /// These models were stored, updated, and removed.
    ///
    /// `removed` holds the models as they last were. An updated model may equal the model before,
    /// because a repository reports what it has written and need not compare.
    case models(stored: [Model], updated: [Update], removed: [Model])

    /// The changed models are not known, for example because another process wrote them.
    case unknown
  }

  /// A model that was replaced by another with the same id.
  public struct Update: Sendable, PlainlyPrinted {
    /// The model as it was.
    public var before: Model
    /// The model as it is now.
    public var after: Model

    /// Creates an update.
    public init(before: Model, after: Model) {
      self.before = before
      self.after = after
    }
  }

  /// The changed models, as far as the repository knows them.
  public var extent: Extent

  /// The version that the commit made; nil if the repository counts none.
  ///
  /// It is greater than the version of every earlier change. ``ObservableRepository/snapshot(_:)``
  /// returns it for the state after the commit.
  public var version: UInt64?

  /// Creates a change.
  public init(_ extent: Extent, version: UInt64? = nil) {
    self.extent = extent
    self.version = version
  }

  /// Creates a change whose models are known.
  public static func models(
    stored: [Model] = [], updated: [Update] = [], removed: [Model] = [], version: UInt64? = nil
  ) -> Self {
    Self(.models(stored: stored, updated: updated, removed: removed), version: version)
  }

  /// Creates a change whose models are not known.
  public static func unknown(version: UInt64?) -> Self { Self(.unknown, version: version) }

  /// A change whose models are not known, of a repository that counts no versions.
  public static var unknown: Self { Self(.unknown) }
}

/// The models that a repository found, and the version of the state that it read.
///
/// ```swift
/// let snapshot = try await store.snapshot(["year": 2002])
/// print(snapshot.models.count, "cars in version", snapshot.version ?? 0)
/// ```
public struct RepositorySnapshot<Model: Sendable>: Sendable, PlainlyPrinted {
  /// The models that match, in the order that the criteria ask for.
  public var models: [Model]

  /// The version of the state that was read; nil if the repository counts none.
  public var version: UInt64?

  /// Creates a snapshot.
  public init(_ models: [Model], version: UInt64?) {
    self.models = models
    self.version = version
  }
}
