public import Evocation
public import Foundation

/// The way in which a service writes models: routes, queries, envelopes, pages, versions and refusals.
///
/// Take the nearest preset, and change what differs. A format is a value, and can serve many models of
/// a service:
///
/// ```swift
/// var format = HTTPFormat.rest
/// format.routes.storeOrUpdateOne = nil
/// format.envelope = .key("data")
/// let cars = HTTPRepository<Car>(service, "cars", format: format)
/// ```
///
/// If a format contradicts itself, every call fails with the error that
/// ``HTTPRepository/configurationError`` returns.
public struct HTTPFormat: Sendable {
  /// The method and path of each call.
  public var routes: Routes

  /// The way in which a query expresses conditions, order and paging; operators in brackets by default.
  public var filters: HTTPFilters

  /// A closure that turns criteria into query items; nil, the default, for ``filters``.
  ///
  /// Use it for a query language that ``filters`` cannot express: walk the criteria's predicate, and
  /// write properties by ``name(of:)`` and values by ``text(of:)``. Throw an error for what the
  /// service cannot express. Name in ``queryTakes`` what the closure writes besides conditions.
  public var query: (@Sendable (Criteria) throws -> [URLQueryItem])?

  /// What the ``query`` closure writes besides conditions; nothing by default.
  ///
  /// Criteria that have more are refused, as `unsupportedCriteria`, so that the service does not pass
  /// over an order, a limit, an offset or a cursor:
  ///
  /// ```swift
  /// format.queryTakes = [.limit, .offset]
  /// ```
  public var queryTakes: Set<QueryPart> = []

  /// Whether Evocation applies conditions and orders that the service lacks; false by default.
  ///
  /// The service then receives the conditions that it can express, without order, limit and offset.
  /// Evocation fetches the whole list, and does the rest on the device.
  public var filtersHere: Bool

  /// Whether the service is known to meet each condition, or to refuse it; false by default.
  ///
  /// Many services pass over a condition that they do not know, and return everything. Evocation
  /// therefore compares the models of each answer with the criteria, and leaves out those that do not
  /// match: the log says so once, each trace says it, and `Result.leftOut` has their number. It then
  /// counts models in place of believing ``total``. Set it for a service that answers an unknown
  /// condition with an error, and whose comparisons are those of criteria.
  public var trustsFilters = false

  /// Keys of criteria that are parameters of the service and not properties, such as `search`.
  public var parameters: Set<Criteria.Key>

  /// The coding key of the models' ids, in criteria and at the service.
  ///
  /// With the default, `id`, it is the key under which the model type encodes its ids, such as `_id`.
  public var identifierKey: Criteria.Key

  /// Whether UUIDs are written in lowercase; nil, the default, to write them as the service does.
  ///
  /// Until Evocation has read a UUID of a model from the service, it writes uppercase. A service that
  /// stores UUIDs as text does not find the other form. This concerns ids, conditions, and a model's
  /// own properties.
  public var lowercasesUUIDs: Bool?

  /// The side that assigns the ids of new models; the app by default.
  public var identifiers: Identifiers

  /// Keys that only the service writes, such as `createdAt`; Evocation does not send them.
  public var readOnlyKeys: Set<Criteria.Key>

  /// Whether the service leaves out keys whose value is null; false by default.
  ///
  /// A key that an answer does not have says nothing of its value, so the local store keeps the one that
  /// it has: a list of summaries and one whole model may be of one type. Set it for a service that
  /// leaves out null, as those do that store whole documents; a missing key then means null.
  public var omitsNulls = false

  /// What becomes of a list of which an element does not decode; the answer fails by default.
  public var elements = Elements.fail

  /// The object that wraps the models in the service's answers; none by default.
  public var envelope: Envelope

  /// The object that wraps the models in requests; none by default.
  ///
  /// Each dot in its key begins a nested object.
  public var requestEnvelope: Envelope

  /// The key of the object that has a model's properties, beside its id; nil, the default, for none.
  ///
  /// It is `attributes` in JSON:API and `fields` in Airtable. If ``type`` is set, a request at the
  /// model's own address has the id in its body too. Otherwise it has the id only in the path.
  public var attributes: String?

  /// The `type` that a request has beside the id, as in JSON:API; nil, the default, for none.
  ///
  /// It applies only if ``attributes`` is set. `{path}` in it is the repository's path.
  public var type: String?

  /// The properties that are ids of related resources, each with their type; none by default.
  ///
  /// They are in the object `relationships` beside ``attributes``, as in JSON:API. A property is one id,
  /// nil for none, or an array of ids:
  ///
  /// ```swift
  /// format.relationships = ["author": "people", "comments": "comments", "editor": "people"]
  /// ```
  public var relationships: [Criteria.Key: String] = [:]

  /// Whether a list is an object with the models under their ids, as in Firebase; false by default.
  public var listsByID = false

  /// The place of the total number of matching models in an answer; nil, the default, for none.
  ///
  /// With it, `count` asks for one model and reads the number. Without it, `count` fetches all models.
  public var total: Total?

  /// The way in which a list continues after an answer; nil if it is not known.
  ///
  /// Evocation reads a list until its limit or its end. A list with a cursor is one page. Lists that
  /// your app loads page by page continue in the same way (`ProxyPaging.automatic`). If `next` is
  /// nil, a list may be only a part: Evocation does not mirror it (it replaces no local models) and
  /// marks no cache as fresh.
  public var next: Next?

  /// How many requests a read of a list takes at most; 1,000 by default.
  ///
  /// A longer list is an error, so that a part never counts as the whole.
  public var maximumPages: Int

  /// The names of metadata, each with the key of its value in an answer, with dots for nested keys.
  ///
  /// `["cursor": "meta.next_cursor"]` makes a text of the answer the cursor of a paged list.
  public var metadata: [String: String]

  /// The kind of value that identifies a version of a model; the field `ETag` by default.
  public var version: Version

  /// The places of error messages in the service's answers, and the meaning of its refusals.
  public var refusals: Refusals

  /// The way to ask for changes since a change token (`mark`); nil, the default, for none.
  public var changes: ChangeList?

  /// The stream of events by which the service sends changes; nil, the default, for none.
  public var live: Live?

  /// A route that takes several requests in one; nil, the default, for none.
  public var batch: Batch?

  /// The keys of each model's result in an answer for several models; nil, the default, for none.
  ///
  /// If it is nil, Evocation reads results only from a 207, under `status` and `body`.
  public var items: Items?

  /// The way in which a body is written; as JSON by default.
  public var body = HTTPBody.json

  /// Header fields of every request for the models; a redirect to another host does not carry them.
  public var headers: [String: String] = [:]

  /// A closure that returns the encoder of each request; see ``defaultEncoder()``.
  public var encoder: @Sendable () -> JSONEncoder

  /// A closure that returns the decoder of each answer; see ``defaultDecoder()``.
  public var decoder: @Sendable () -> JSONDecoder

  /// The key of a write: whether it is sent, and whether the service performs repeated writes once.
  ///
  /// By default Evocation sends the field `Idempotency-Key`, and does not rely on it.
  public var idempotency: Idempotency?

  /// Whether a change or removal of one model names the version on which it is based; true by default.
  ///
  /// Evocation names it if the model's version is known, by ``version``. A service that has another
  /// version by now answers 412, which is ``HTTPError/Code/preconditionFailed``, and changes nothing.
  /// Turn it off for a service that returns versions and cannot compare them. Responses then have no
  /// versions.
  public var sendsIfMatch: Bool

  /// Creates a format for plain REST that does not say where lists end.
  public init() {
    routes = .rest
    filters = .brackets
    filtersHere = false
    parameters = []
    identifierKey = "id"
    identifiers = .client
    readOnlyKeys = []
    envelope = .none
    requestEnvelope = .none
    maximumPages = 1000
    metadata = [:]
    version = .entityTag
    refusals = Refusals()
    encoder = Self.defaultEncoder
    decoder = Self.defaultDecoder
    idempotency = .sent("Idempotency-Key")
    sendsIfMatch = true
  }
}
