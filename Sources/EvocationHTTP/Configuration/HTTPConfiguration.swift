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

  /// The object that wraps the models in the service's answers; none by default.
  public var envelope: Envelope

  /// The object that wraps the models in requests; none by default.
  public var requestEnvelope: Envelope

  /// Where an answer says how many models match in all; nil, the default, where it does not say.
  ///
  /// With it `count` asks for one model and reads the number; without it `count` fetches all
  /// models.
  public var total: Total?

  /// Makes the encoder of each request; see ``defaultEncoder()``.
  public var encoder: @Sendable () -> JSONEncoder

  /// Makes the decoder of each answer; see ``defaultDecoder()``.
  public var decoder: @Sendable () -> JSONDecoder

  /// Header fields of every request; they do not follow a redirect to another host.
  public var headers: [String: String]

  /// Gives the value of the `Authorization` field, or nil to send none.
  ///
  /// It is called before each request and, with ``Occasion/refusal``, once more after a 401. What
  /// it throws reaches the caller untouched, and nothing is sent. Requests run side by side, so the
  /// closure must join renewals of a credential that should happen once.
  public var authorization: (@Sendable (Occasion) async throws -> String?)?

  /// How long one request may take from its start to the end of its answer; 30 seconds by default.
  ///
  /// A redirect that is followed, and the repetition after a 401, count as further requests.
  public var timeout: Duration

  /// How many bytes an answer may have, decompressed; 64 MiB by default.
  public var maximumResponseSize: Int

  /// How many bytes of answers are remembered with their `ETag`; 8 MiB by default, 0 for none.
  ///
  /// A read whose answer is remembered sends `If-None-Match`, and a 304 costs no decoding.
  public var rememberedResponseSize: Int

  /// Whether a change or removal of one model sends `If-Match`; true by default.
  ///
  /// It is sent where the model was last read, or written, by its own address and the answer had a
  /// strong `ETag`: a service that has another version by now answers 412, which is
  /// ``HTTPError/Code/preconditionFailed``, and changes nothing. Turn it off for a service that
  /// gives tags and cannot compare them.
  public var sendsIfMatch: Bool

  /// Hosts that may be reached without TLS, besides this device itself; none by default.
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

extension HTTPConfiguration {
  /// The object that wraps the models in JSON.
  public enum Envelope: Sendable, Hashable {
    /// No object: `[{"id": 1}]`.
    case none
    /// An object that holds them under this key: `{"data": [{"id": 1}]}`.
    case key(String)
  }

  /// Where an answer says how many models match in all, of which it may give a part.
  public enum Total: Sendable, Hashable {
    /// In a header field, such as `X-Total-Count`.
    case header(String)
    /// Under this key of the object that holds the models, with dots for nested ones: `meta.total`.
    case key(String)
  }
}

extension HTTPConfiguration {
  /// Why the authorization closure is called.
  public enum Occasion: String, Sendable, Hashable, CaseIterable {
    /// A request is about to be sent.
    case request
    /// The service answered 401 to the last credential; give a new one.
    case refusal
  }
}

extension HTTPConfiguration {
  /// An encoder that sorts keys and writes dates as ISO 8601, with milliseconds where there are
  /// any.
  ///
  /// The keys are sorted so that a write that is sent again has the same bytes, which services
  /// compare under one idempotency key.
  @Sendable public static func defaultEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(text(of: date))
    }
    return encoder
  }

  /// A decoder that reads ISO 8601 dates, with fractions of a second or without.
  @Sendable public static func defaultDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      for fraction in [false, true] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
        if let date = try? style.parse(text) { return date }
      }
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not an ISO 8601 date."
      )
    }
    return decoder
  }

  private static func text(of date: Date) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    // The format cuts digits off, and most milliseconds are stored as a little less than they are.
    let rounded = Date(timeIntervalSince1970: (milliseconds + 0.25) / 1000)
    let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
  }
}
