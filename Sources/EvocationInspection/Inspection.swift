public import Evocation
public import Foundation

/// Everything that an `Evocation` knows about itself at one time, for a person who looks into an
/// app.
///
/// ```swift
/// let inspection = await evocation.inspection()
/// for model in inspection.models { print(model.name, model.count ?? 0, model.warnings) }
/// for entry in inspection.outbox.entries { print(entry.model, entry.kind, entry.state) }
/// ```
///
/// It is a value without references, and its JSON has the names of its properties. Ages follow from
/// the dates in it and ``takenAt``. A value of a model, of criteria or of an error's text is in it
/// only if you asked for an inspection that reveals them. No credential is ever in it.
public struct Inspection: Sendable, Hashable, Codable {
  /// When the inspection was made, by the date of the configuration's clock.
  public var takenAt: Date

  /// Whether it has values of models, criteria and errors.
  public var isRevealing: Bool

  /// Whether servers can be reached, as far as is known.
  public var isOnline: Bool

  /// The registered model types, by their names.
  public var models: [Model]

  /// The caches that are in use, and then up to 50 stored ones of each model type, the latest first.
  public var caches: [Cache]

  /// The same for lists that are loaded page by page.
  public var lists: [Cache]

  /// The writes that the servers do not have yet.
  public var outbox: Queue

  /// The servers of the remote repositories, by their names.
  public var services: [Service]

  /// The databases of the local repositories, by their paths.
  public var files: [File]
}

extension Inspection {
  /// A registered model type.
  public struct Model: Sendable, Hashable, Codable {
    /// The type's name.
    public var name: String

    /// The strategy.
    public var strategy: Strategy

    /// Whether your app set the strategy; otherwise `Strategy.default()` applies.
    public var hasStrategy: Bool

    /// How the strategy can lose a write or leave outdated models behind, as
    /// `Proxy.validate()` returns it.
    public var warnings: [String]

    /// The error of `Proxy.validate()`; nil if all rules fit.
    public var problem: String?

    /// The remote repository; nil if there is none.
    public var remote: Place?

    /// The local repository; nil if there is none.
    public var local: Place?

    /// Whether the service's changes arrive automatically now; nil if it sends none.
    public var isLive: Bool?

    /// The number of models in the local store; nil for a repository of your app's own, whose count
    /// may read all models.
    public var count: Int?

    /// The number of writes that are running or wait for their turn.
    public var writes: Int

    /// The last 20 calls since the first inspection, the latest first.
    public var calls: [Call]

    /// How the local store would find the models of recent reads and of caches.
    public var queries: [Query]

    /// The first 20 models of the local store as JSON; nil in an inspection that hides values, and
    /// for a type that is not `Encodable`.
    public var values: [String]?
  }

  /// A repository.
  public struct Place: Sendable, Hashable, Codable {
    /// The repository's type.
    public var type: String

    /// The name of its ``Service``, or the path of its ``File``; nil if it has none.
    public var name: String?
  }

  /// A call that has ended, or an event such as a refresh that could not be saved.
  public struct Call: Sendable, Hashable, Codable {
    /// When it ended.
    public var endedAt: Date

    /// How long it took in seconds, including a write's wait for its turn.
    public var seconds: Double

    /// What was asked and tried, in order.
    ///
    /// If values are hidden, a failed step has only the kind of its error.
    public var trace: Evocation.Trace

    /// The keys of the criteria, with their values if these are revealed; nil for all models.
    public var criteria: String?

    /// The repository that the data came from; nil if the call failed.
    public var origin: Evocation.RepositoryType?

    /// Why the call failed; nil if it did not.
    public var error: String?

    /// Whether the outbox has the write.
    public var isPending: Bool
  }

  /// How the local store would answer a query.
  public struct Query: Sendable, Hashable, Codable {
    /// The keys of the criteria, with their values if these are revealed; nil for all models.
    public var criteria: String?

    /// The steps of SQLite's query plan, such as `SEARCH car USING INDEX …`.
    public var plan: [String]

    /// Whether a step reads a whole table, although the query has conditions.
    public var isScan: Bool
  }
}
