/// A remote repository that can list what changed and what was removed since an earlier answer.
///
/// A refresh of a cache, and a find by a rule that mirrors, then fetch only these changes. The
/// server describes its state by a *mark*, a change token of its own: a date, a number, any text.
/// The local store keeps the mark and passes it back unread. Evocation saves the changed models,
/// the removals, the date and the next mark in one transaction, so that the mark never claims more
/// than the local store has.
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
public protocol ChangesRepository<Model>: Repository {
  /// Whether the repository lists changes, as it is configured.
  ///
  /// The default is true. Evocation reads it before each refresh, so it has to be inexpensive.
  var listsChanges: Bool { get }

  /// Returns what changed and what was removed since a mark.
  ///
  /// The answer contains changed models in their present state. A model that changed and no longer
  /// matches the criteria has to be among the changed or the removed models. If it is in neither,
  /// the local store keeps it.
  ///
  /// - Parameters:
  ///   - criteria: The query. It has no limit, no offset and no cursor.
  ///   - mark: The mark of an earlier answer, or nil to ask for everything.
  /// - Returns: The changes. Without a mark, or if the server refuses the mark as too old,
  ///   everything, with ``Changes/isWhole`` set. Nil if the repository cannot list changes for
  ///   these criteria: Evocation then calls ``Repository/find(_:)``.
  /// - Throws: The server's error. A mark that is too old is not an error.
  func changes(
    _ criteria: Criteria, since mark: String?
  ) async throws -> Response<Changes<Model>?>
}

extension ChangesRepository {
  /// True: the repository lists changes.
  public var listsChanges: Bool { true }
}

/// What changed on the server since a mark, and the mark to continue with.
///
/// ```swift
/// func changes(_ criteria: Criteria, since mark: String?) async throws -> Response<Changes<Car>?> {
///   let page = try await log(of: criteria, since: mark)
///   return Response(
///     Changes(page.cars, removed: page.removedIDs, mark: page.mark, isWhole: page.isWhole))
/// }
/// ```
public struct Changes<Model: Sendable>: Sendable, PlainlyPrinted {
  /// The new and changed models, as they are now.
  ///
  /// If ``Changes/isWhole`` is true, all that match.
  public var models: [Model]

  /// The ids of the models that were removed.
  ///
  /// The local store removes these models if they match the criteria there. It ignores ids that it
  /// does not have.
  public var removed: [Criteria.Scalar]

  /// The mark to pass with the next query, or nil to ask for everything then.
  public var mark: String?

  /// Whether the models are all that match, so that the local store removes any others.
  public var isWhole: Bool

  /// Creates changes.
  public init(
    _ models: [Model], removed: [any CriteriaValue] = [], mark: String?, isWhole: Bool = false
  ) {
    self.models = models
    self.removed = removed.map(\.criteriaValue)
    self.mark = mark
    self.isWhole = isWhole
  }
}
