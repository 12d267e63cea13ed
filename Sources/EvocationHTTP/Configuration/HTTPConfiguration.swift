public import Evocation
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// How a service is spoken to: routes, queries, JSON, credentials and limits.
///
/// The defaults are those of a plain REST service. Change what differs:
///
/// ```swift
/// var configuration = HTTPConfiguration()
/// configuration.routes.update = nil  // one PATCH for each model
/// configuration.envelope = .key("data")
/// configuration.authorization = { occasion in
///   "Bearer \(try await session.token(renewed: occasion == .refusal))"
/// }
/// ```
public struct HTTPConfiguration: Sendable {
  /// Which method and path each call has.
  public var routes: Routes

  /// How criteria become query items; nil for the default scheme of ``queryItems(for:)``.
  public var query: (@Sendable (Criteria) throws -> [URLQueryItem])?

  /// The coding key of the models' ids, as criteria and the service name it; `id` by default.
  public var identifierKey: Criteria.Key

  /// How many ids one bulk removal names in its query at most; 100 by default.
  ///
  /// A longer removal takes several requests, because many servers refuse addresses beyond 8 KiB.
  public var identifiersPerRequest: Int

  /// What the models are wrapped in by the service's answers; nothing by default.
  public var envelope: Envelope

  /// What the models are wrapped in by requests; nothing by default.
  public var requestEnvelope: Envelope

  /// Where a list says how many models match in all; nil, as by default, where it does not say it.
  ///
  /// With it `count` asks for one model and reads the number; without it, it finds all models.
  public var total: Total?

  /// Makes the encoder of each request; see ``defaultEncoder()``.
  public var encoder: @Sendable () -> JSONEncoder

  /// Makes the decoder of each answer; see ``defaultDecoder()``.
  public var decoder: @Sendable () -> JSONDecoder

  /// Header fields of every request; they do not follow a redirect to another host.
  public var headers: [String: String]

  /// Gives the value of the `Authorization` field, or nil to send none.
  ///
  /// It is asked before each request and, with ``Occasion/refusal``, once more after a 401. What it
  /// throws reaches the caller untouched, and nothing is sent. Requests run side by side, so a
  /// renewal that must happen once is for the closure to join.
  public var authorization: (@Sendable (Occasion) async throws -> String?)?

  /// How long one request may take from its start to the end of its answer; 30 seconds by default.
  ///
  /// Where a redirect is followed, or a 401 asks for another credential, that is another request.
  public var timeout: Duration

  /// How many bytes an answer may have, decompressed; 64 MiB by default.
  public var maximumResponseSize: Int

  /// How many bytes of answers are remembered with their `ETag`; 8 MiB by default, 0 for none.
  ///
  /// A read whose answer is remembered asks `If-None-Match`, and a 304 costs no decoding.
  public var rememberedResponseSize: Int

  /// Whether a change or removal of one model asks `If-Match`; true by default.
  ///
  /// It is asked where the model was last read, or written, by its own address and the answer had a
  /// strong `ETag`: a service that has another version by now answers 412, which is
  /// ``HTTPError/Code/preconditionFailed``, and changes nothing. Turn it off for a service that
  /// gives tags and cannot compare them.
  public var sendsIfMatch: Bool

  /// Hosts that may be spoken to without TLS, besides this device itself; none by default.
  public var insecureHosts: Set<String>

  /// Measures ``timeout``.
  public var clock: any Clock<Duration>

  /// Makes the session's configuration; by default one that keeps neither cookies nor a cache.
  public var session: @Sendable () -> URLSessionConfiguration

  /// Makes the configuration of a plain REST service.
  public init() {
    routes = .rest
    identifierKey = "id"
    identifiersPerRequest = 100
    envelope = .none
    requestEnvelope = .none
    encoder = Self.defaultEncoder
    decoder = Self.defaultDecoder
    headers = [:]
    timeout = .seconds(30)
    maximumResponseSize = 64 << 20
    rememberedResponseSize = 8 << 20
    sendsIfMatch = true
    insecureHosts = []
    clock = ContinuousClock()
    session = Self.defaultSession
  }

  private static func defaultSession() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    return configuration
  }
}
