public import Evocation
import Foundation

/// A repository of the models that a JSON service has.
///
/// ```swift
/// let cars = HTTPRepository<Car>(HTTPService(url), "cars")
/// let recent = try await cars.find(Criteria.Key("year") >= 2000).value
/// ```
///
/// ## Execution
///
/// Models are encoded and decoded outside of the caller's actor. Canceling ends a call immediately with
/// `CancellationError`. It is then not known whether the service has performed the call.
///
/// ## Answers
///
/// The metadata of an answer has `status` and `headers` (names in lowercase). If the service sent them,
/// it also has `etag`, `totalCount`, `next` and `previous` (URLs), and the values that
/// ``HTTPFormat/metadata`` names. A bulk call without models sends nothing, and its metadata is empty.
/// If the answer to a write has no body, the call returns the models that it sent.
///
/// A read without a limit follows the service's pages to their end. If a list with a limit ended
/// before it, `totalCount` says how many models match, whether the service sent it or not. A key that the model does not have
/// is an error, unless it is among ``HTTPFormat/parameters``. If Evocation cannot find out a type's
/// keys, the service reports a wrong one.
///
/// ## Versions
///
/// A call that reads or writes a single model returns the service's version of it in
/// `Response.versions`. The version is its `ETag`, unless that is weak, or what ``HTTPFormat/version``
/// says. A version that is a property comes with lists too.
///
/// `update`, `updateOne`, `remove` and `removeOne` at a model's own address send a version as
/// `If-Match`:
///
/// - The version of `WriteBase.current`, if its condition is a version; for nil they send no field. A
///   `storeOrUpdate` of one model sends it too.
/// - Without a `WriteBase`, the version in the model itself, if the type has that property.
/// - Otherwise the `ETag` that this repository last received for the model, from `findOne` or from a
///   write at that address.
///
/// If the model has been changed by others since, nothing is changed. The error is
/// ``HTTPError/Code/preconditionFailed`` until the model is read again. An error that contains the
/// service's model counts as reading it. The same applies to a write after one whose answer was lost,
/// unless the service recognizes its `Idempotency-Key`. If the model no longer exists, the answer is
/// nil nevertheless.
///
/// A model from a list has no entity tag. Unless the version is a property, a change of it therefore
/// replaces any version that the service has. A `storeOrUpdate` without a `WriteBase` always replaces
/// the service's model; if the route asks for the model first (``HTTPFormat/Route/onlyIfPresent``), it
/// sends the version of that answer.
///
/// ## Errors
///
/// An ``HTTPError`` describes what went wrong between the app and the service. A 409 and a 412 are
/// conflicts, and have the service's model as ``HTTPError/current`` if it is in their body. A 409 to
/// `store` is `EvocationError.alreadyExists` if the service has the model, which Evocation then asks
/// for. A `PartialError` ends a write that takes several requests, if some of them succeeded. ``HTTPError/failureScope`` says whether an error is about the
/// write: the answer of a network portal, a bad certificate and a 401 are not. A missing model is not
/// an error: it is left out, or the answer is nil.
public final class HTTPRepository<Model: Codable & Identifiable & Sendable>: Sendable,
  InspectedRemote, PagedRepository, ChangesRepository, LiveRepository, Repository,
  BatchingRepository, OpenEndedRepository, UnitRepository, ParameterRepository
{
  let client: HTTPClient
  let coding: HTTPCoding
  let known = RememberedModels()
  /// The coding keys of the app's device alone, which are not sent.
  let omitted = Lock<Set<String>>([])

  /// The service's scheme, host and port, such as `https://example.com:443`.
  ///
  /// The outbox slows down its requests to one service together.
  public var service: String { client.service.name }

  /// The contradiction in the format, which every call then throws; nil if there is none.
  ///
  /// It is also the error of a list that the service cut without saying so, once Evocation has found
  /// that out. Every list that is as long fails with it from then on.
  public var configurationError: HTTPError? {
    client.contradiction ?? client.ends.withLock(\.cut)?.error
  }

  /// Creates a repository, without sending anything.
  ///
  /// - Parameters:
  ///   - service: The service, which the repositories of all its models share.
  ///   - path: The path of the models at the service, such as `cars`; plain text, not percent-encoded.
  ///   - format: The way in which the service writes the models; plain REST by default.
  public init(_ service: HTTPService, _ path: String, format: HTTPFormat = .rest) {
    var format = format
    // A model says itself under which key its id stands, unless the format does.
    if format.identifierKey == "id", let name = (try? ModelSchema.of(Model.self))?.identifier {
      format.identifierKey = Criteria.Key(name)
    }
    let schema = try? ModelSchema.of(Model.self)
    client = HTTPClient(
      service, path, format: format, codingKeys: schema?.allKeys() ?? [],
      hasNumericIDs: schema?.hasNumericIDs ?? false
    ) { key in
      let target = try? ModelSchema.of(Model.self).target(of: key)
      return target.map { [$0.property.name] + $0.path }
    }
    coding = HTTPCoding(format, of: Model.self, names: client.names)
  }

  /// The format's parameters, which only the service knows.
  package var parameters: Set<Criteria.Key> { client.format.parameters }

  /// The format's id key, by which the outbox reads the service's model in a conflict.
  public var identifierKey: Criteria.Key { client.format.identifierKey }

  /// Leaves coding keys out of requests, because they are of the app's device alone.
  package func omit(_ keys: Set<String>) { omitted.withLock { $0.formUnion(keys) } }

  /// The coding keys that are not sent: those of the app's device alone, and those of the service alone.
  var unsentKeys: Set<String> {
    omitted.withLock { $0 }.union(client.format.readOnlyKeys.lazy.map(\.name))
  }

  /// Records that an answer has left out these keys of a model.
  func learn(absent keys: some Sequence<Set<String>>) {
    let unsent = unsentKeys
    if keys.contains(where: { !$0.isSubset(of: unsent) }) { known.foundSummaries() }
  }

  var routes: HTTPFormat.Routes { client.format.routes }

  func idText(_ scalar: Criteria.Scalar) -> String {
    client.text.text(of: scalar) ?? ""
  }

  func idText(of model: Model) throws -> String {
    // For a type that is known to be codable, the identity is found without asking whether it is.
    idText(try ModelID.scalar(of: model, ModelIdentity.of(Model.self)))
  }

  func ids(_ models: some Sequence<Model>) -> [String] {
    models.map { (try? idText(of: $0)) ?? "\($0.id)" }
  }

  /// Whether writes need to know what the app has read of each model.
  ///
  /// They do where a route sends changes, and where an answer has left out a key. A list that is passed on
  /// page by page is stored, so that its models need not be in memory unless the format says so.
  func remembersModels(of isHeld: Bool = true) -> Bool {
    let sending = [routes.updateOne, routes.storeOrUpdateOne].compactMap(\.self)
      .filter(\.sendsChanges)
    return sending.contains { isHeld || !$0.isByMethod } || known.hasSummaries
  }

  /// Remembers a model in an entry.
  ///
  /// An answer without some keys says nothing of their values, so those that were known stay. Where no
  /// answer has had them, none is looked for (`find 1,000`).
  func remember(
    _ model: Model, _ id: String, absent: Set<String>, in entry: inout RememberedModels.Entry
  ) {
    (entry.model, entry.unsaid) = (model, absent)
    guard !absent.isEmpty, let earlier = known.known(id), let held = earlier.model as? Model else {
      return
    }
    entry.unsaid.formIntersection(earlier.unsaid)
    guard entry.unsaid != absent else { return }
    entry.model = Rebasing.completed(model, under: absent.subtracting(earlier.unsaid), from: held)
  }

  func decode<Value>(
    _ answer: HTTPAnswer, of request: HTTPRequest, _ decode: (Data) throws -> Content<Value>
  ) throws -> Content<Value> {
    do {
      return try decode(answer.body)
    } catch let error as HTTPError {
      throw error
    } catch {
      // A body that is no JSON was cut off, or is not the service's: the next one may be whole.
      let isJSON =
        (try? JSONSerialization.jsonObject(with: answer.body, options: .fragmentsAllowed)) != nil
      throw HTTPError(
        undecodable: answer, of: request, because: error, scope: isJSON ? nil : .service)
    }
  }
}

extension HTTPRepository: SharedService {
  /// The address of the models, without a query.
  package var routeName: String { service + "/" + client.path }

  /// The service with its credential.
  package var identity: (any AnyObject & Sendable)? { client.service }

  /// The address of the stream of changes, without its query.
  package var liveName: String {
    guard let live = client.format.live, let request = try? client.request(live.route) else {
      return service
    }
    return service + request.url.path()
  }

  /// Calls a handler each time a new credential has replaced one that the service refused.
  ///
  /// ``HTTPService/Configuration-swift.struct/authorization`` returns the new credential. The handler
  /// is called for a request of any repository of the same service. A closure that returns nil, or a
  /// credential that was refused already, has not replaced it.
  package func observeCredential(
    _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    client.service.credentials.observe(handler)
  }
}

extension HTTPRepository: ForgettingRepository {
  /// Forgets the answers with their entity tags, and the models' versions.
  package func forgetAnswers() {
    client.service.forgetAnswers()
    known.forgetAll()
  }
}

extension ModelSchema {
  /// Whether the id is a whole number.
  fileprivate var hasNumericIDs: Bool {
    let kind = identifier.flatMap { self[$0] }?.kind.scalar
    return kind == .integer || kind == .unsigned
  }

  /// The coding keys of the properties, and of the objects in them; a type may hold itself.
  fileprivate func allKeys(to depth: Int = 6) -> [String] {
    properties.flatMap { property -> [String] in
      let inner = depth > 0 ? property.kind.object?.allKeys(to: depth - 1) : nil
      return [property.name] + (inner ?? [])
    }
  }
}

extension ModelSchema.Kind {
  /// The schema of an object, or of the objects in a list.
  fileprivate var object: ModelSchema? {
    switch self {
    case .object(let schema): schema
    case .list(let kind): kind.object
    case .scalar, .json: nil
    }
  }
}
