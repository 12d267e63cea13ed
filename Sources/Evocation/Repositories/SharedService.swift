/// A remote repository that says what the outbox has to know of its service.
package protocol SharedService: Sendable {
  /// Names the service, such as by its scheme, host and port.
  ///
  /// Requests to one service are slowed down together, whatever models they are for.
  var service: String { get }

  /// The coding key by which it is asked for one model; `id` by default.
  var identifierKey: Criteria.Key { get }

  /// Calls a handler each time after a credential that the service refused has been replaced by another.
  ///
  /// The outbox does not send to a service that has refused the credential until then. The handler is
  /// called on any thread, under no lock, whichever request the new credential was asked for. That may
  /// be while another request that was sent with the refused one has not ended yet.
  ///
  /// - Parameter handler: Called until the observation ends.
  /// - Returns: The observation, which ends with its last reference.
  func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
}

extension SharedService {
  /// The key `id`.
  package var identifierKey: Criteria.Key { "id" }

  /// An observation of nothing, for a repository that has no credential.
  package func observeCredential(
    _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    Evocation.Observation {}
  }
}
