/// What one commit changed in a repository, and the version that it made.
///
/// ```swift
/// handler(.models(stored: [car], version: 7))
/// ```
public struct RepositoryChange<Model: Sendable>: Sendable {
  /// How much is known of a change.
  public enum Extent: Sendable {
    /// These models were stored, updated, and removed.
    ///
    /// `removed` holds the models as they last were. An updated model may be equal to the one before:
    /// a repository tells what it has written, and need not find out whether it differs.
    case models(stored: [Model], updated: [Update], removed: [Model])

    /// The changed models are not known: another process wrote, for example.
    case unknown
  }

  /// A model that was replaced by another with its id.
  public struct Update: Sendable {
    /// The model as it was.
    public var before: Model
    /// The model as it is now.
    public var after: Model

    /// Makes an update.
    public init(before: Model, after: Model) {
      self.before = before
      self.after = after
    }
  }

  /// What is known of the change.
  public var extent: Extent

  /// The version that the commit made; nil where the repository counts none.
  ///
  /// It is greater than that of every change before it, and is the one that
  /// ``ObservableRepository/snapshot(_:)`` gives for the state after the commit.
  public var version: UInt64?

  /// Makes a change.
  public init(_ extent: Extent, version: UInt64? = nil) {
    self.extent = extent
    self.version = version
  }

  /// Makes a change whose models are known.
  public static func models(
    stored: [Model] = [], updated: [Update] = [], removed: [Model] = [], version: UInt64? = nil
  ) -> Self {
    Self(.models(stored: stored, updated: updated, removed: removed), version: version)
  }

  /// Makes a change whose models are not known.
  public static func unknown(version: UInt64?) -> Self { Self(.unknown, version: version) }

  /// A change whose models are not known, of a repository that counts no versions.
  public static var unknown: Self { Self(.unknown) }
}

/// The models that a repository found, and the version of the state that it read.
public struct RepositorySnapshot<Model: Sendable>: Sendable {
  /// The models that match, in the order asked for.
  public var models: [Model]

  /// The version of the state that was read; nil where the repository counts none.
  public var version: UInt64?

  /// Makes a snapshot.
  public init(_ models: [Model], version: UInt64?) {
    self.models = models
    self.version = version
  }
}
