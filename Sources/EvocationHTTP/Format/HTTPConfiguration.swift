public import Evocation
public import Foundation

/// How a service is spoken to, as one value: what ``HTTPService`` and ``HTTPFormat`` have replaced.
///
/// Copies share connections, limits and credential until one of what the service has in common is set.
@available(
  *, deprecated,
  message: "Make an HTTPService once for the service, and an HTTPFormat for how it writes models."
)
@dynamicMemberLookup
public struct HTTPConfiguration: Sendable {
  public typealias Routes = HTTPFormat.Routes
  public typealias Route = HTTPFormat.Route
  public typealias Envelope = HTTPFormat.Envelope
  public typealias Total = HTTPFormat.Total
  public typealias Next = HTTPFormat.Next
  public typealias Identifiers = HTTPFormat.Identifiers
  public typealias Version = HTTPFormat.Version
  public typealias Refusals = HTTPFormat.Refusals
  public typealias Batch = HTTPFormat.Batch
  public typealias Changes = HTTPFormat.Changes
  public typealias Occasion = HTTPService.Occasion

  fileprivate var format = HTTPFormat.rest
  fileprivate var service = HTTPService.Configuration()
  fileprivate var made = Services()

  /// Makes the configuration of a plain REST service.
  public init() {}

  public subscript<Value>(dynamicMember path: WritableKeyPath<HTTPFormat, Value>) -> Value {
    get { format[keyPath: path] }
    set { format[keyPath: path] = newValue }
  }

  public subscript<Value>(
    dynamicMember path: WritableKeyPath<HTTPService.Configuration, Value>
  ) -> Value {
    get { service[keyPath: path] }
    set {
      service[keyPath: path] = newValue
      made = Services()
    }
  }

  /// Header fields of every request; they do not follow a redirect to another host.
  public var headers: [String: String] {
    get { service.headers }
    set {
      service.headers = newValue
      made = Services()
    }
  }

  /// The header field of a write's key, by which a service carries it out once; nil for none.
  public var idempotencyField: String? {
    get { format.idempotency?.field }
    set { format.idempotency = newValue.map { .sent($0) } }
  }

  /// The query items of criteria, by the filters.
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

extension HTTPRepository {
  /// Makes a repository; nothing is sent yet.
  @available(
    *, deprecated,
    message: "Write HTTPRepository(HTTPService(baseURL), path, format:), and share the service."
  )
  public convenience init(
    baseURL: URL, path: String, configuration: HTTPConfiguration = .init()
  ) {
    let service = configuration.made.service(at: baseURL, configuration.service)
    self.init(service, path, format: configuration.format)
  }
}
