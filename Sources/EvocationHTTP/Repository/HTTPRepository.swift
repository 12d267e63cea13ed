public import Evocation
import Foundation

/// A repository of models that a JSON REST service holds.
///
/// ```swift
/// let cars = HTTPRepository<Car>(HTTPService(url), "cars")
/// let recent = try await cars.find(Criteria.Key("year") >= 2000).value
/// ```
///
/// ## Execution
///
/// Only the beginning of a call runs on the caller's actor: models are encoded and decoded
/// elsewhere. Cancelling ends a call at once with `CancellationError`; whether the service has
/// carried it out is then not known.
///
/// ## Answers
///
/// The metadata of an answer has its `status`, `headers` (names in lower case) and, where the
/// service gave them, `etag`, `totalCount`, `next` and `previous` (URLs), and what
/// ``HTTPFormat/metadata`` names. A bulk call without models sends nothing and gives none. A
/// write whose answer has no body gives the models as they were sent.
///
/// A read without a limit follows the service's pages to their end. A key that the model does not
/// have is an error, unless it is among ``HTTPFormat/parameters``; of a type that cannot be
/// looked into, the service says so.
///
/// ## Versions
///
/// A model that was read or written by itself comes with the service's version of it, in
/// `Response.versions`: its `ETag`, unless that is weak, or what ``HTTPFormat/version`` says;
/// a version that is a property comes with lists too.
///
/// `update`, `updateOne`, `remove` and `removeOne` at a model's own address send `If-Match` with
/// the version that the write was made on, where `WriteBase.current` says one; so does
/// `storeOrUpdate` of one model then. Else it is the one in the model itself, where the type has that
/// property, and else the `ETag` that this repository last received for it, from `findOne` or from a
/// write at that address. Where the model has been changed elsewhere since, nothing is changed, and the error is
/// ``HTTPError/Code/preconditionFailed`` until the model is read again; an error with the service's
/// model in it counts as reading. The same goes for a write after one whose answer was lost, unless
/// the service recognizes its `Idempotency-Key`. For a model that is gone the answer is nil all the
/// same. A model that came in a list has no tag, so it is changed whatever version the service has,
/// unless the version is a property; `storeOrUpdate` by itself always replaces what is there.
///
/// ## Errors
///
/// An ``HTTPError`` says what went wrong between here and the service. A 409 and a 412 are
/// conflicts, and have the service's model as ``HTTPError/current`` where it is in their body; a 409
/// to `store` is `EvocationError.alreadyExists`. A `PartialError` ends a write of several
/// requests of which some succeeded. What an error says of a write is its
/// ``HTTPError/failureScope``: a network's portal, a bad certificate and a 401 say nothing of it. A
/// model that is not there is not an error: it is left out, or the answer is nil.
public final class HTTPRepository<Model: Codable & Identifiable & Sendable>: Sendable {
  let client: HTTPClient
  let coding: HTTPCoding
  let known = RememberedModels()

  /// The service by its scheme, host and port, such as `https://example.com:443`.
  ///
  /// Requests of the outbox to one service are slowed down together.
  public var service: String { client.service.name }

  /// What contradicts itself in the format, as every call then throws it; nil for nothing.
  public var configurationError: HTTPError? { client.contradiction }

  /// Makes a repository; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - service: The service, which the repositories of all its models share.
  ///   - path: Where the service has the models, such as `cars`; plain text, not percent-encoded.
  ///   - format: How the service writes them; plain REST by default.
  public init(_ service: HTTPService, _ path: String, format: HTTPFormat = .rest) {
    client = HTTPClient(service, path, format)
    coding = HTTPCoding(format: format)
  }

  /// The key of its format, by which the outbox asks for the other side of a conflict.
  public var identifierKey: Criteria.Key { client.format.identifierKey }

  var routes: HTTPFormat.Routes { client.format.routes }

  func idText(_ scalar: Criteria.Scalar) -> String {
    client.text.text(of: scalar) ?? ""
  }

  func idText(of model: Model) throws -> String {
    idText(try ModelID.scalar(of: model))
  }

  func ids(_ models: some Sequence<Model>) -> [String] {
    models.map { (try? idText(of: $0)) ?? "\($0.id)" }
  }

  /// The properties of a model, where a route sends what differs from what the service is known to have.
  func remembered(_ model: Model) -> Fields? {
    let remembers = routes.updateOne.sendsChanges || routes.storeOrUpdateOne?.sendsChanges == true
    return remembers ? try? FieldEncoder.fields(of: model) : nil
  }

  func decode<Value>(
    _ answer: HTTPAnswer, of request: HTTPRequest, _ decode: (Data) throws -> Content<Value>
  ) throws -> Content<Value> {
    do {
      return try decode(answer.body)
    } catch let error as HTTPError {
      throw error
    } catch {
      throw HTTPError(undecodable: answer, of: request, because: error)
    }
  }
}

extension HTTPRepository: SharedService {
  /// Calls a handler each time after ``HTTPService/Configuration-swift.struct/authorization`` has given another credential
  /// than the one that the service refused.
  ///
  /// It is called for a request of any repository of the same service. A closure
  /// that gives nil, or a credential that was refused already, has not replaced it.
  package func observeCredential(
    _ handler: @escaping @Sendable () -> Void
  ) -> Evocation.Observation {
    client.service.credentials.observe(handler)
  }
}

extension HTTPRepository: ForgettingRepository {
  /// Forgets the answers with their entity tags, and the models' versions.
  package func forgetAnswers() {
    client.forgetAnswers()
    known.forgetAll()
  }
}
