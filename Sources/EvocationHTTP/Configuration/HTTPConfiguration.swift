public import Evocation
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// How a service is spoken to: routes, queries, JSON, credentials and limits.
///
/// The defaults are those of a plain REST service. Change what differs, once for all models of the
/// service:
///
/// ```swift
/// var configuration = HTTPConfiguration()
/// configuration.routes.update = nil  // one PATCH for each model
/// configuration.envelope = .key("data")
/// configuration.authorization = { occasion in
///   "Bearer \(try await session.token(renewed: occasion == .refusal))"
/// }
/// ```
///
/// Repositories that are made with copies of one configuration share its connections, its limits
/// and its credential. A configuration that contradicts itself is named by
/// ``HTTPRepository/configurationError``, and every call fails with it.
public struct HTTPConfiguration: Sendable {
  /// Which method and path each call has.
  public var routes: Routes

  /// How conditions, order and paging are said in a query; operators in brackets by default.
  public var filters: HTTPFilters

  /// How criteria become query items; nil, the default, for what ``filters`` say.
  ///
  /// For a language of a service's own: walk the criteria's predicate, and name properties by
  /// ``name(of:)`` and values by ``text(of:)``.
  public var query: (@Sendable (Criteria) throws -> [URLQueryItem])?

  /// Whether conditions and orders that the service cannot say are applied here; false by default.
  ///
  /// It is then asked for the rest, and for all of it where the limit cannot be left to it either.
  public var filtersHere: Bool

  /// Keys of criteria that are parameters of the service and no properties, such as `search`.
  public var parameters: Set<Criteria.Key>

  /// The coding key of the models' ids, as criteria and the service name it; `id` by default.
  public var identifierKey: Criteria.Key

  /// Who gives new models their ids; the app by default.
  public var identifiers: Identifiers

  /// How many ids one bulk removal names in its query at most; 100 by default.
  ///
  /// A longer removal takes several requests, because many servers refuse addresses beyond 8 KiB.
  public var identifiersPerRequest: Int

  /// Keys of the models that the service alone writes, such as `createdAt`; they are not sent.
  public var readOnlyKeys: Set<Criteria.Key>

  /// The object that wraps the models in the service's answers; none by default.
  public var envelope: Envelope

  /// The object that wraps the models in requests; none by default.
  public var requestEnvelope: Envelope

  /// Where an answer says how many models match in all; nil, the default, where it does not say.
  ///
  /// With it `count` asks for one model and reads the number; without it `count` fetches all
  /// models.
  public var total: Total?

  /// Where an answer says how the list goes on; in `Link` by default.
  ///
  /// A read goes on until its limit or else the end, by addresses of the same host. One with a
  /// cursor is one page.
  public var next: Next

  /// How many requests a read without a limit takes at most; 1,000 by default.
  ///
  /// What is longer is an error, so that no part is taken for the whole.
  public var maximumPages: Int

  /// Values that metadata take from an answer, by their names there, with dots for nested keys.
  ///
  /// `["cursor": "meta.next_cursor"]` makes a text of the answer the cursor of a paged list.
  public var metadata: [String: String]

  /// What tells one version of a model from another; the field `ETag` by default.
  public var version: Version

  /// Where a service says what is wrong, and what its refusals mean.
  public var refusals: Refusals

  /// How a service is asked for what changed since a mark; nil, the default, for not at all.
  public var changes: Changes?

  /// A route that takes several requests in one; nil, the default, for none.
  public var batch: Batch?

  /// Makes the encoder of each request; see ``defaultEncoder()``.
  public var encoder: @Sendable () -> JSONEncoder

  /// Makes the decoder of each answer; see ``defaultDecoder()``.
  public var decoder: @Sendable () -> JSONDecoder

  /// Header fields of every request; they do not follow a redirect to another host.
  public var headers: [String: String]

  /// The header field of a write's key, by which a service carries it out once; nil for none.
  ///
  /// A write that has one is sent again when a kept connection was lost before the answer.
  public var idempotencyField: String?

  /// Gives the value of the `Authorization` field, or nil to send none.
  ///
  /// It is called before each request and, with ``Occasion/refusal``, after a 401: once for all
  /// requests with the same credential that were refused. What it throws reaches the caller
  /// untouched, and nothing is sent.
  public var authorization: (@Sendable (Occasion) async throws -> String?)? {
    didSet { credentials = Credentials() }
  }

  /// What all models of the service keep to together, at each host.
  public var limits: HTTPLimits {
    didSet { gates = ServiceGates() }
  }

  /// How long one request may take from its start to the end of its answer; 30 seconds by default.
  ///
  /// A redirect that is followed, and the repetition after a 401, count as further requests; the
  /// time in which a request waits for its turn does not count. A read in batches may take as long
  /// for each of them.
  public var timeout: Duration

  /// How many bytes an answer may have, decompressed, all pages of a list together; 64 MiB by
  /// default.
  ///
  /// A list that is read in batches is not held, so only each of its pages is limited.
  public var maximumResponseSize: Int

  /// How many bytes of answers are remembered with their `ETag`; 8 MiB by default, 0 for none.
  ///
  /// A read whose answer is remembered sends `If-None-Match`, and a 304 costs no decoding.
  public var rememberedResponseSize: Int

  /// Whether a change or removal of one model says which version it is based on; true by default.
  ///
  /// It is sent where the model's version is known, by ``version``: a service that has another one
  /// by now answers 412, which is ``HTTPError/Code/preconditionFailed``, and changes nothing. Turn
  /// it off for a service that gives versions and cannot compare them; answers then come without any.
  public var sendsIfMatch: Bool

  /// Hosts that may be reached without TLS, besides this device itself; none by default.
  public var insecureHosts: Set<String>

  /// Hosts to which a write may be redirected with its body, besides its own; none by default.
  public var redirectHosts: Set<String>

  /// Measures ``timeout`` and ``limits``.
  public var clock: any Clock<Duration> {
    didSet { gates = ServiceGates() }
  }

  /// Where each request is written as it ends, where the log's levels say so; nowhere by default.
  ///
  /// It is told by its method, the service and the path of its route, never by an id, a query, a field
  /// or a body.
  public var log: Evocation.Log

  /// What sends the requests; a ``URLSessionTransport`` by default, which copies share.
  public var transport: any HTTPTransport

  /// Makes the session's configuration; by default one that keeps neither cookies nor a cache.
  ///
  /// To set it sets ``transport`` to a new ``URLSessionTransport``.
  public var session: @Sendable () -> URLSessionConfiguration {
    didSet { transport = URLSessionTransport(session) }
  }

  private(set) var credentials = Credentials()
  private(set) var gates = ServiceGates()

  /// Makes the configuration of a plain REST service.
  public init() {
    routes = .rest
    filters = .brackets
    filtersHere = false
    parameters = []
    identifierKey = "id"
    identifiers = .client
    identifiersPerRequest = 100
    readOnlyKeys = []
    envelope = .none
    requestEnvelope = .none
    next = .link
    maximumPages = 1000
    metadata = [:]
    version = .entityTag
    refusals = Refusals()
    encoder = Self.defaultEncoder
    decoder = Self.defaultDecoder
    headers = [:]
    idempotencyField = "Idempotency-Key"
    limits = HTTPLimits()
    timeout = .seconds(30)
    maximumResponseSize = 64 << 20
    rememberedResponseSize = 8 << 20
    sendsIfMatch = true
    insecureHosts = []
    redirectHosts = []
    clock = ContinuousClock()
    log = .off
    session = URLSessionTransport.defaultConfiguration
    transport = URLSessionTransport()
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
