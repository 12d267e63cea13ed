/// A remote repository that describes its server to the outbox.
package protocol SharedService: Sendable {
  /// The name of the server, such as its scheme, host and port.
  ///
  /// The outbox slows down requests to one server together, for all models.
  var service: String { get }

  /// The name of the server with the route of the models.
  ///
  /// What was fetched by another name counts as stale. The default is ``service``.
  var routeName: String { get }

  /// The object that stands for the server's address with its credential; nil if there is none.
  ///
  /// The default is nil.
  var identity: (any AnyObject & Sendable)? { get }

  /// The name of what sends the service's changes automatically, to which its marks belong.
  ///
  /// The default is ``service``.
  var liveName: String { get }

  /// The coding key of the property that identifies one model in a query.
  ///
  /// The default is `id`.
  var identifierKey: Criteria.Key { get }

  /// Leaves these coding keys out of what it sends from now on, also those of earlier calls.
  ///
  /// By default it leaves nothing out.
  func omit(_ keys: Set<String>)

  /// Calls a handler each time a credential that the server refused has been replaced by another.
  ///
  /// Until then, the outbox sends nothing to a server that has refused the credential. The handler
  /// is called on any thread, and under no lock, whichever request the new credential was obtained
  /// for. Another request that was sent with the refused credential may still be under way.
  ///
  /// - Parameter handler: The closure to call until the observation ends.
  /// - Returns: The observation, which ends with its last reference.
  func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
}

extension SharedService {
  /// The name of the server.
  package var routeName: String { service }

  /// Nil: only the repository itself stands for it.
  package var identity: (any AnyObject & Sendable)? { nil }

  /// The name of the server.
  package var liveName: String { service }

  /// The key `id`.
  package var identifierKey: Criteria.Key { "id" }

  /// Leaves nothing out.
  package func omit(_ keys: Set<String>) {}

  /// Returns an observation of nothing, for a repository that has no credential.
  package func observeCredential(
    _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    Evocation.Observation {}
  }
}
