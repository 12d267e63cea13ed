/// A remote repository whose server executes several writes in one request, all of them or none.
///
/// The outbox sends the writes of an `Evocation.together(_:)` this way, if the repositories of all
/// their models have one ``SharedService/service``. To any other repository it sends them one after
/// another.
package protocol UnitRepository<Model>: Repository, SharedService {
  /// How many writes the server executes in one request, all or none; zero if it does not.
  var unitSize: Int { get }

  /// Prepares a write to be sent with others, by ``IdempotencyKey/current`` and
  /// ``WriteBase/current``.
  ///
  /// - Returns: Nil for a write that cannot be sent with others, such as one that needs two
  ///   requests, or whose answer others need.
  /// - Throws: What encoding throws.
  func prepare(_ kind: Outbox.EntryKind, _ model: Model) async throws -> PreparedWrite<Model>?

  /// Sends prepared writes in one request, also those of other repositories of the server.
  ///
  /// - Parameter requests: The values of ``PreparedWrite/request``, in order.
  /// - Returns: The server's answer to each of them, whether it accepted or refused it.
  /// - Throws: As a write does, if the server has answered none of them.
  func send(_ requests: [any Sendable]) async throws -> [any Sendable]
}

/// A write that is sent together with others.
package struct PreparedWrite<Model: Sendable>: Sendable {
  /// The request, in the form that the repository uses.
  package let request: any Sendable

  /// Reads the server's answer: returns or throws as a write of one model does.
  package let answer: @Sendable (any Sendable) async throws -> Response<Model?>

  /// Creates a prepared write.
  package init(
    request: any Sendable,
    answer: @escaping @Sendable (any Sendable) async throws -> Response<Model?>
  ) {
    self.request = request
    self.answer = answer
  }
}
