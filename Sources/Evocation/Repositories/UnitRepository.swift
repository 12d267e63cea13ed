/// A remote repository whose service carries out several writes in one request, all of them or none.
///
/// The outbox sends the writes of an `Evocation.together(_:)` so, where the repositories of all their models are
/// of one ``SharedService/service``. One that does not say so has them sent one after another.
package protocol UnitRepository<Model>: Repository, SharedService {
  /// How many writes the service takes in one request, which it carries out all or none; zero for a service
  /// that does not.
  var unitSize: Int { get }

  /// Prepares a write that is sent with others, by ``IdempotencyKey/current`` and ``WriteBase/current``.
  ///
  /// - Returns: Nil for one that cannot be sent with others, such as one that needs two requests, or whose
  ///   answer others need.
  /// - Throws: What encoding throws.
  func prepare(_ kind: Outbox.EntryKind, _ model: Model) throws -> PreparedWrite<Model>?

  /// Sends prepared requests in one, those of other repositories of the service among them.
  ///
  /// - Parameter requests: What ``PreparedWrite/request`` gave, in order.
  /// - Returns: The service's answer to each of them, whether it has taken it or refused it.
  /// - Throws: As a write does, where the service has answered nothing to them.
  func send(_ requests: [any Sendable]) async throws -> [any Sendable]
}

/// A write that is sent together with others.
package struct PreparedWrite<Model: Sendable>: Sendable {
  /// The request, as the repository has it.
  package let request: any Sendable

  /// Gives what the service's answer says, as a write of one model does, and throws what such a write throws.
  package let answer: @Sendable (any Sendable) async throws -> Response<Model?>

  /// Makes a prepared write.
  package init(
    request: any Sendable,
    answer: @escaping @Sendable (any Sendable) async throws -> Response<Model?>
  ) {
    self.request = request
    self.answer = answer
  }
}
