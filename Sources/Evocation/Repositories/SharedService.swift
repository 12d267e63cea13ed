/// A remote repository that says what the outbox has to know of its service.
public protocol SharedService: Sendable {
  /// Names the service, such as by its scheme, host and port.
  ///
  /// Requests to one service are slowed down together, whatever models they are for.
  var service: String { get }

  /// The coding key by which it is asked for one model; `id` by default.
  var identifierKey: Criteria.Key { get }
}

extension SharedService {
  /// The key `id`.
  public var identifierKey: Criteria.Key { "id" }
}
