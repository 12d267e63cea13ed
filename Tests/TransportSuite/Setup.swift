import Evocation
public import EvocationHTTP
public import Foundation

/// How a test speaks to a service: what its requests have in common, and its format, as one value.
///
/// Repositories that are made by copies of one share their service.
@dynamicMemberLookup
public struct Setup: Sendable {
  /// How the service writes models.
  public var format: HTTPFormat
  /// What its requests have in common.
  public var service = HTTPService.Configuration() {
    didSet { services = Services() }
  }
  private var services = Services()

  /// Makes one without a credential.
  public init(_ format: HTTPFormat = .bulk) {
    self.format = format
  }

  /// Header fields of every request.
  public var headers: [String: String] {
    get { service.headers }
    set { service.headers = newValue }
  }

  /// A property of the format.
  public subscript<Value>(dynamicMember path: WritableKeyPath<HTTPFormat, Value>) -> Value {
    get { format[keyPath: path] }
    set { format[keyPath: path] = newValue }
  }

  /// A property of what its requests have in common.
  public subscript<Value>(
    dynamicMember path: WritableKeyPath<HTTPService.Configuration, Value>
  ) -> Value {
    get { service[keyPath: path] }
    set { service[keyPath: path] = newValue }
  }

  /// The service at an address, the same for each copy.
  public func service(at url: URL) -> HTTPService {
    services.service(at: url, service)
  }

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
}

extension HTTPFormat {
  /// Plain REST, of a service that takes several models at once in every call.
  public static let bulk: HTTPFormat = {
    var format = HTTPFormat.rest
    format.routes.update = .init("PATCH", writesNulls: true)
    format.routes.remove = .init("DELETE")
    format.routes.remove?.most = 100
    return format
  }()
}

extension HTTPRepository {
  /// Makes a repository.
  public convenience init(at url: URL, _ path: String, _ setup: Setup) {
    self.init(setup.service(at: url), path, format: setup.format)
  }
}
