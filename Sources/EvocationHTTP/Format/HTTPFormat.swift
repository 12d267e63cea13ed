public import Evocation
public import Foundation

/// How a service writes models: routes, queries, envelopes, pages, versions and refusals.
///
/// Begin with the preset that is nearest, and change what differs; it is a value, and one can serve many
/// models of a service:
///
/// ```swift
/// var format = HTTPFormat.rest
/// format.routes.storeOrUpdateOne = nil
/// format.envelope = .key("data")
/// let cars = HTTPRepository<Car>(service, "cars", format: format)
/// ```
///
/// A format that contradicts itself is named by ``HTTPRepository/configurationError``, and every call
/// fails with it.
public struct HTTPFormat: Sendable {
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

  /// Whether UUIDs are written in small letters; nil, the default, for the way in which the service writes
  /// those of the models, and in capitals until one was read.
  ///
  /// A service that keeps them as text finds no other. It concerns ids, conditions, and a model's own
  /// properties.
  public var lowercasesUUIDs: Bool?

  /// Who gives new models their ids; the app by default.
  public var identifiers: Identifiers

  /// Keys of the models that the service alone writes, such as `createdAt`; they are not sent.
  public var readOnlyKeys: Set<Criteria.Key>

  /// The object that wraps the models in the service's answers; none by default.
  public var envelope: Envelope

  /// The object that wraps the models in requests; none by default.
  public var requestEnvelope: Envelope

  /// The key of the object that has a model's properties, beside its id; nil, the default, for none.
  ///
  /// `attributes` after JSON:API, `fields` after Airtable. A request at the model's own address has the id
  /// in its body where ``type`` is set, and only in the path where it is not.
  public var attributes: String?

  /// What a request says beside the id as a model's `type`, after JSON:API, where ``attributes`` is set; nil,
  /// the default, for nothing.
  ///
  /// `{path}` in it is the repository's path.
  public var type: String?

  /// Whether a list is an object that has the models under their ids, as Firebase has them; false by default.
  public var listsByID = false

  /// Where an answer says how many models match in all; nil, the default, where it does not say.
  ///
  /// With it `count` asks for one model and reads the number; without it `count` fetches all
  /// models.
  public var total: Total?

  /// Where an answer says how the list goes on; nil where that is not known.
  ///
  /// A read goes on until its limit or else the end. One with a cursor is one page. Where it is nil, a list
  /// may be a part of what there is: nothing is mirrored by it, and no cache is fresh by it.
  public var next: Next?

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
  public var changes: ChangeList?

  /// A route that takes several requests in one; nil, the default, for none.
  public var batch: Batch?

  /// Where an answer for several models has the status of each; nil, the default, where only a 207 has, by
  /// `status` and `body`.
  public var items: Items?

  /// How a body is written; as JSON by default.
  public var body = HTTPBody.json

  /// Header fields of every request for the models; they do not follow a redirect to another host.
  public var headers: [String: String] = [:]

  /// Makes the encoder of each request; see ``defaultEncoder()``.
  public var encoder: @Sendable () -> JSONEncoder

  /// Makes the decoder of each answer; see ``defaultDecoder()``.
  public var decoder: @Sendable () -> JSONDecoder

  /// The key of a write: whether it is sent, and whether the service carries out once what has it.
  ///
  /// The field `Idempotency-Key`, sent and not relied on, by default.
  public var idempotency: Idempotency?

  /// Whether a change or removal of one model says which version it is based on; true by default.
  ///
  /// It is sent where the model's version is known, by ``version``: a service that has another one
  /// by now answers 412, which is ``HTTPError/Code/preconditionFailed``, and changes nothing. Turn
  /// it off for a service that gives versions and cannot compare them; answers then come without any.
  public var sendsIfMatch: Bool

  /// Makes a format that is plain REST, and says nothing yet of where lists end.
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
