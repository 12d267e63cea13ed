import Evocation
public import Foundation

/// A JSON service: its address, and what all models of it share.
///
/// Your app makes it once, and gives it to the repository of each model:
///
/// ```swift
/// let service = HTTPService(url)
/// let cars = HTTPRepository<Car>(service, "cars")
/// let trips = HTTPRepository<Trip>(service, "trips")
/// ```
///
/// These share connections, the credential and its renewal, the limits and the circuit breaker, and what is
/// remembered of the service's answers. Two services that are made apart share nothing, also at one address.
/// It may be used from any thread.
public final class HTTPService: Sendable {
  /// The service's address, such as `https://example.com/api/v1`.
  public let baseURL: URL

  /// What all requests to the service have in common.
  public let configuration: Configuration

  /// The service by its scheme, host and port, such as `https://example.com:443`.
  public var name: String { HTTPAddress.service(of: baseURL) }

  let credentials = Credentials()
  let gates = ServiceGates()
  let trust: HTTPTrust
  let time: TimeSource
  let deadlines: Deadlines
  let cache: ETagCache

  /// Makes a service; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - baseURL: The service's address; without TLS it must be this device, or a host that
  ///     `insecureHosts` names.
  ///   - configuration: What all requests have in common.
  public init(_ baseURL: URL, configuration: Configuration = .init()) {
    self.baseURL = baseURL
    self.configuration = configuration
    trust = HTTPTrust(configuration)
    time = TimeSource(configuration.clock)
    deadlines = Deadlines(time)
    cache = ETagCache(limit: configuration.rememberedResponseSize)
  }

  func gate(at service: String) -> ServiceGate {
    gates.gate(of: service, configuration.limits, configuration.clock)
  }
}

extension HTTPService {
  /// Why the authorization closure is called.
  public enum Occasion: String, Sendable, Hashable, CaseIterable {
    /// A request is about to be sent.
    case request
    /// The service answered 401 to the last credential; give a new one.
    case refusal
  }
}
