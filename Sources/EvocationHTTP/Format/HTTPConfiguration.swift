public import Evocation
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The settings of a service and its format in one value.
///
/// ``HTTPService`` and ``HTTPFormat`` replace it. Copies share connections, limits and credential until
/// you set one of the service's properties.
@available(
  *, deprecated,
  message: "Make an HTTPService once for the service, and an HTTPFormat for how it writes models."
)
@dynamicMemberLookup
public struct HTTPConfiguration: Sendable {
  /// See ``HTTPFormat``.
  public typealias Routes = HTTPFormat.Routes
  /// See ``HTTPFormat``.
  public typealias Route = HTTPFormat.Route
  /// See ``HTTPFormat``.
  public typealias Envelope = HTTPFormat.Envelope
  /// See ``HTTPFormat``.
  public typealias Total = HTTPFormat.Total
  /// See ``HTTPFormat``.
  public typealias Next = HTTPFormat.Next
  /// See ``HTTPFormat``.
  public typealias Identifiers = HTTPFormat.Identifiers
  /// See ``HTTPFormat``.
  public typealias Version = HTTPFormat.Version
  /// See ``HTTPFormat``.
  public typealias Refusals = HTTPFormat.Refusals
  /// See ``HTTPFormat``.
  public typealias Batch = HTTPFormat.Batch
  /// See ``HTTPFormat``.
  public typealias Changes = HTTPFormat.ChangeList
  /// See ``HTTPService``.
  public typealias Occasion = HTTPService.Occasion

  var format = HTTPFormat.rest
  var service = HTTPService.Configuration()
  private var made = Services()
  private var sessionConfiguration = URLSessionTransport.defaultConfiguration

  /// Creates the configuration of a plain REST service.
  public init() {}

  /// A property of the format.
  public subscript<Value>(dynamicMember path: WritableKeyPath<HTTPFormat, Value>) -> Value {
    get { format[keyPath: path] }
    set { format[keyPath: path] = newValue }
  }

  /// A property of the service's configuration.
  public subscript<Value>(
    dynamicMember path: WritableKeyPath<HTTPService.Configuration, Value>
  ) -> Value {
    get { service[keyPath: path] }
    set {
      service[keyPath: path] = newValue
      made = Services()
    }
  }

  /// Header fields of every request; a redirect to another host does not carry them.
  public var headers: [String: String] {
    get { service.headers }
    set {
      service.headers = newValue
      made = Services()
    }
  }

  /// A closure that returns the configuration of the URL session.
  ///
  /// Setting it also sets the transport to a new ``URLSessionTransport``.
  public var session: @Sendable () -> URLSessionConfiguration {
    get { sessionConfiguration }
    set {
      sessionConfiguration = newValue
      service.transport = URLSessionTransport(newValue)
      made = Services()
    }
  }

  /// The header field with the idempotency key of a write; nil for none.
  public var idempotencyField: String? {
    get { format.idempotency?.field }
    set { format.idempotency = newValue.map { .sent($0) } }
  }

  /// Returns the service at an address, the same for each copy.
  func service(at url: URL) -> HTTPService { made.service(at: url, service) }

  /// How many ids one bulk removal names in its query at most.
  public var identifiersPerRequest: Int {
    get { format.routes.remove?.most ?? 100 }
    set { format.routes.remove?.most = newValue }
  }

  /// See ``HTTPFormat/name(of:)``.
  public func name(of key: Criteria.Key) -> String { format.name(of: key) }

  /// See ``HTTPFormat/text(of:)``.
  public func text(of value: Criteria.Scalar) -> String? { format.text(of: value) }

  /// Returns the query items of criteria, as the filters write them.
  public func queryItems(for criteria: Criteria) throws -> [URLQueryItem] {
    try format.queryItems(for: criteria)
  }

  /// See ``HTTPFormat/defaultEncoder()``.
  @Sendable public static func defaultEncoder() -> JSONEncoder { HTTPFormat.defaultEncoder() }

  /// See ``HTTPFormat/defaultDecoder()``.
  @Sendable public static func defaultDecoder() -> JSONDecoder { HTTPFormat.defaultDecoder() }
}

/// The services that copies of a configuration share, by their addresses.
private final class Services: Sendable {
  private let services = Lock<[URL: HTTPService]>([:])

  func service(at url: URL, _ configuration: HTTPService.Configuration) -> HTTPService {
    services.withLock { services in
      let service = services[url] ?? HTTPService(url, configuration: configuration)
      services[url] = service
      return service
    }
  }
}
