import Evocation
public import Foundation

/// A JSON service: its address, and everything that its models share.
///
/// Make it once, and pass it to the repository of each model:
///
/// ```swift
/// let service = HTTPService(url)
/// let cars = HTTPRepository<Car>(service, "cars")
/// let trips = HTTPRepository<Trip>(service, "trips")
/// ```
///
/// The repositories share connections, the credential and its renewal, the limits, the circuit breaker,
/// and the remembered answers. Two services share none of these, even at the same address, except that
/// copies of one configuration have the same transport. You can use a service from any thread.
public final class HTTPService: Sendable {
  /// The service's address, such as `https://example.com/api/v1`.
  public let baseURL: URL

  /// The settings that all requests to the service share.
  public let configuration: Configuration

  /// The service's scheme, host and port, such as `https://example.com:443`.
  public var name: String { HTTPAddress.service(of: baseURL) }

  let credentials = Credentials()
  let gates = ServiceGates()
  let trust: HTTPTrust
  let time: TimeSource
  let deadlines: Deadlines
  let cache: ETagCache
  /// The log for each request when it ends; nil if requests are not logged.
  let log: Evocation.Log?
  /// The streams of changes, by their addresses.
  let streams = SharedObjects()

  /// Creates a service, without sending anything.
  ///
  /// - Parameters:
  ///   - baseURL: The service's address. Without TLS it must be this device, or a host in
  ///     `insecureHosts`.
  ///   - configuration: The settings that all requests share.
  public init(_ baseURL: URL, configuration: Configuration = .init()) {
    self.baseURL = baseURL
    self.configuration = configuration
    trust = HTTPTrust(configuration)
    time = TimeSource(configuration.clock)
    deadlines = Deadlines(time)
    cache = ETagCache(limit: configuration.rememberedResponseSize)
    log = configuration.log.taking(.http)
  }

  func gate(at service: String) -> ServiceGate {
    gates.gate(of: service, configuration.limits, clock: configuration.clock)
  }

  /// Forgets all answers, and ends the streams, because the user has signed out.
  func forgetAnswers() {
    cache.forgetAll()
    streams.forgetAll()
    credentials.recordSignedOut()
  }
}

extension HTTPService {
  /// The reason for which Evocation calls the authorization closure.
  public enum Occasion: String, Sendable, Hashable, CaseIterable {
    /// Evocation is about to send a request.
    case request
    /// The service answered 401 to the last credential; return a new one.
    case refusal
  }
}
