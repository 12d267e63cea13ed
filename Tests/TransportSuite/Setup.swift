import Evocation
public import EvocationHTTP
public import Foundation

/// How a test speaks to a service: what its requests have in common, and its format, as one value.
///
/// Repositories that are made by copies of one share their service.
@dynamicMemberLookup
public struct Setup: Sendable {
  public var format: HTTPFormat
  public var service = HTTPService.Configuration() {
    didSet { services = Services() }
  }
  private var services = Services()

  public init(_ format: HTTPFormat = .bulk) {
    self.format = format
  }

  public var headers: [String: String] {
    get { service.headers }
    set { service.headers = newValue }
  }

  public subscript<Value>(dynamicMember path: WritableKeyPath<HTTPFormat, Value>) -> Value {
    get { format[keyPath: path] }
    set { format[keyPath: path] = newValue }
  }

  public subscript<Value>(
    dynamicMember path: WritableKeyPath<HTTPService.Configuration, Value>
  ) -> Value {
    get { service[keyPath: path] }
    set { service[keyPath: path] = newValue }
  }

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
  public convenience init(at url: URL, _ path: String, _ setup: Setup) {
    self.init(setup.service(at: url), path, format: setup.format)
  }
}
