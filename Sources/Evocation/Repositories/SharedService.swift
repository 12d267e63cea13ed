/// A remote repository that says which service it is of.
///
/// Requests to one service are slowed down together, whatever models they are for.
public protocol SharedService: Sendable {
  /// Names the service, such as by its scheme, host and port.
  var service: String { get }
}
