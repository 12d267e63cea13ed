public import Evocation
import Foundation

extension HTTPService {
  /// What all requests to a service have in common: credential, limits, sizes and times.
  ///
  /// ```swift
  /// var configuration = HTTPService.Configuration()
  /// configuration.authorization = { occasion in
  ///   "Bearer \(try await session.token(renewed: occasion == .refusal))"
  /// }
  /// let service = HTTPService(url, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// Header fields of every request; they do not follow a redirect to another host.
    public var headers: [String: String] = [:]

    /// Gives the value of the `Authorization` field, or nil to send none.
    ///
    /// Evocation calls it before each request and, with ``Occasion/refusal``, after a 401: once for all
    /// requests with the same credential that were refused. What it throws reaches the caller untouched,
    /// and nothing is sent.
    public var authorization: (@Sendable (Occasion) async throws -> String?)?

    /// Changes each request just before it is sent; nil, the default, for not at all.
    ///
    /// For fields that differ from request to request, a signature of method, address and body, or a
    /// credential in the query. Evocation calls it for each attempt, after ``authorization``, and never for
    /// a redirect to another host. A query item that it adds is left out of errors, logs and the next
    /// pages that an answer names. Answers are not remembered by their `ETag` then, since whose they are may
    /// lie in what it adds.
    public var prepare: (@Sendable (inout HTTPTransportRequest) async throws -> Void)?

    /// What all models of the service keep to together, at each host.
    public var limits = HTTPLimits()

    /// How long one request may take from its start to the end of its answer; 30 seconds by default.
    ///
    /// A redirect that is followed, and the repetition after a 401, count as further requests; the
    /// time in which a request waits for its turn does not count.
    public var timeout = Duration.seconds(30)

    /// How many bytes an answer may have, decompressed, all pages of a list together; 64 MiB by
    /// default.
    ///
    /// A list that is read in batches is not held, so only each of its pages is limited.
    public var maximumResponseSize = 64 << 20

    /// How many bytes of answers are remembered with their `ETag`; 8 MiB by default, 0 for none.
    ///
    /// A read whose answer is remembered sends `If-None-Match`, and a 304 costs no decoding.
    public var rememberedResponseSize = 8 << 20

    /// Hosts that may be reached without TLS, besides this device itself; none by default.
    public var insecureHosts: Set<String> = []

    /// Hosts to which a write may be redirected with its body, besides its own; none by default.
    public var redirectHosts: Set<String> = []

    /// Measures ``timeout`` and ``limits``.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Where each request is written as it ends, where the log's levels say so; nowhere by default.
    ///
    /// It is told by its method, the service and the path of its route, never by an id, a query, a field
    /// or a body.
    public var log = Evocation.Log.off

    /// What sends the requests; a ``URLSessionTransport`` by default.
    public var transport: any HTTPTransport = URLSessionTransport()

    /// Makes the configuration of a service without a credential.
    public init() {}
  }
}
