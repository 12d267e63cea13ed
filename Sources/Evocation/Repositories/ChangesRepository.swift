/// A remote repository that lists what changed and what was removed since a mark.
///
/// A refresh of a cache, and a find under a rule that mirrors, then ask for that alone. What changed,
/// what was removed, the date and the next mark are one write, so that the mark says no more than
/// local has.
///
/// ```swift
/// extension LoggedService: ChangesRepository {
///   func changes(_ criteria: Criteria, since mark: String?) async throws -> Response<Changes<Car>?> {
///     let page = try await log(of: criteria, since: mark)
///     return Response(
///       Changes(page.cars, removed: page.removedIDs, mark: page.mark, isWhole: page.isWhole))
///   }
/// }
/// ```
///
/// A mark is the service's own text: a date, a number, a token. Local keeps it and gives it back, and
/// never looks into it.
public protocol ChangesRepository<Model>: Repository {
  /// Whether the repository lists changes as it is configured; by default it does.
  ///
  /// It is asked before each refresh, so it has to be cheap.
  var listsChanges: Bool { get }

  /// Gives what changed and what was removed since a mark.
  ///
  /// What it has to list of models that changed is their present state. A model that no longer
  /// matches the criteria since it changed is among those that changed, or among the removed ones;
  /// where it is in neither, local goes on having it.
  ///
  /// - Parameters:
  ///   - criteria: What is asked for; they have no limit, no offset and no cursor.
  ///   - mark: The mark of an earlier answer; nil to ask for everything.
  /// - Returns: The changes. Without a mark, or with one that the service refuses as too old,
  ///   everything, as ``Changes/isWhole`` says. Nil where changes cannot be listed for these
  ///   criteria; then ``Repository/find(_:)`` is asked.
  /// - Throws: What the service answers; a mark that is too old is no error.
  func changes(
    _ criteria: Criteria, since mark: String?
  ) async throws -> Response<Changes<Model>?>
}

extension ChangesRepository {
  /// True: changes are listed.
  public var listsChanges: Bool { true }
}

/// What changed on the service since a mark, and where it goes on.
public struct Changes<Model: Sendable>: Sendable {
  /// The models that are new or changed, as they are now; all that match, where it is whole.
  public var models: [Model]

  /// The ids of the models that were removed; those that local does not have are ignored.
  ///
  /// Local removes them where they match the criteria there.
  public var removed: [Criteria.Scalar]

  /// The mark to ask with the next time; nil to ask for everything then.
  public var mark: String?

  /// Whether the models are all that match, and local is to have no others.
  public var isWhole: Bool

  /// Makes changes.
  public init(
    _ models: [Model], removed: [any CriteriaValue] = [], mark: String?, isWhole: Bool = false
  ) {
    self.models = models
    self.removed = removed.map(\.criteriaValue)
    self.mark = mark
    self.isWhole = isWhole
  }
}
