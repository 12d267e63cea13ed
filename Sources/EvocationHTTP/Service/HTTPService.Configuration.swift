public import Evocation
import Foundation

extension HTTPService {
  /// The settings that all requests to a service share: credential, limits, sizes and timeouts.
  ///
  /// ```swift
  /// var configuration = HTTPService.Configuration()
  /// configuration.authorization = { occasion in
  ///   "Bearer \(try await session.token(renewed: occasion == .refusal))"
  /// }
  /// let service = HTTPService(url, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// Header fields of every request; a redirect to another host does not carry them.
    public var headers: [String: String] = [:]

    /// A closure that returns the value of the `Authorization` field, or nil to send none.
    ///
    /// Evocation calls the closure before each request. After a 401 it calls it with
    /// ``Occasion/refusal``, only once for all refused requests with the same credential.
    ///
    /// If the closure throws, Evocation sends nothing. Let it throw the `URLError` if it has no
    /// connection, and `URLError(.userAuthenticationRequired)` if the user must sign in again. An error
    /// after a refusal is ``HTTPError/Code/unauthorized`` with the closure's error as `underlying`. The
    /// caller receives unchanged: a cancellation, a `URLError` of the network, a `ClassifiedError` that
    /// is transient or about authorization, and before a request any error that may pass.
    ///
    /// The closure has as long as an answer (``timeout``). Then Evocation cancels it, does not wait for
    /// it, and the call fails with ``HTTPError/Code/timedOut``, which is transient and names it.
    ///
    /// A stream of changes is opened again when a request has another credential. Evocation then asks
    /// which one the stream would have now. After a sign-out it asks until there is another one.
    public var authorization: (@Sendable (Occasion) async throws -> String?)?

    /// A closure that changes each request just before Evocation sends it; nil, the default, for none.
    ///
    /// Use it for fields that differ from request to request, for a signature of method, address and
    /// body, or for a credential in the query. Evocation calls it for each attempt, after
    /// ``authorization``, where it compares credentials too, and never for a redirect to another host.
    /// A query item that it adds does not appear in errors, logs and the addresses of next pages. While
    /// it is set, Evocation does not remember answers by their `ETag`, because the added parts may
    /// decide to which user an answer belongs.
    public var prepare: (@Sendable (inout HTTPTransportRequest) async throws -> Void)?

    /// The limits that all models of the service share, at each host.
    public var limits = HTTPLimits()

    /// The longest time from the start of a request to the end of its answer; 30 seconds by default.
    ///
    /// A redirect that Evocation follows and the repetition after a 401 count as further requests. The
    /// time in which a request waits for its turn does not count.
    public var timeout = Duration.seconds(30)

    /// The largest size of an answer in bytes, decompressed; 64 MiB by default.
    ///
    /// All pages of a list count together. A list that is read in batches is not held in memory, so the
    /// limit applies to each of its pages.
    public var maximumResponseSize = 64 << 20

    /// How many bytes of answers with an `ETag` are remembered in all; 8 MiB by default, 0 for none.
    ///
    /// Evocation remembers at most 256 answers. If it remembers the answer to a read, it sends
    /// `If-None-Match`, and a 304 needs no decoding.
    public var rememberedResponseSize = 8 << 20

    /// Hosts that Evocation may reach without TLS, besides this device itself; none by default.
    public var insecureHosts: Set<String> = []

    /// Hosts to which a write may be redirected with its body, besides its own; none by default.
    public var redirectHosts: Set<String> = []

    /// The clock that measures ``timeout`` and ``limits``.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The log that receives each request when it ends, if its levels include requests; off by default.
    ///
    /// An entry has the method, the service and the path of the route. It never has an id, a query, a
    /// field or a body, except that a log with `showsValues` has the texts of errors, and these contain
    /// the id.
    public var log = Evocation.Log.off

    /// The transport that sends the requests; a ``URLSessionTransport`` by default.
    public var transport: any HTTPTransport = URLSessionTransport()

    /// Creates the configuration of a service without a credential.
    public init() {}
  }
}
