public import Evocation
public import Foundation

/// Why a request was not sent, was not answered, or was refused.
///
/// Its ``description`` is one sentence without user data; ``body`` is what the service answered.
///
/// ```swift
/// if let error = result.error as? HTTPError, error.code == .unauthorized { signIn() }
/// ```
public struct HTTPError: ConflictError {
  /// The kind of failure.
  public let code: Code

  /// The request's method, or nil when there was no request yet.
  public let method: String?

  /// The request's address with its query, or nil when there was no request yet.
  public let url: URL?

  /// The status of the answer, or nil when there was none.
  public let status: Int?

  /// The body of the answer, cut off after 4096 bytes; it may hold user data.
  public let body: String?

  /// The header fields of the answer, by their names in lower case.
  public let headers: [String: String]

  /// How long the service asks to wait, at most ten years.
  public let retryAfter: Duration?

  /// When the service wants to be asked again, by this device's clock; nil where it did not say.
  public let retryDate: Date?

  /// What the service says is wrong, in its own words; it may hold user data.
  ///
  /// It is found where ``HTTPFormat/refusals`` says.
  public let message: String?

  /// What the service says is wrong with single fields, by their names there; it may hold user data.
  ///
  /// Names of nested ones have dots, as in `owner.name`.
  public let fields: [String: [String]]

  /// The service's model, where a 409 or a 412 to a write of one model has it in the body.
  public let current: (any Sendable)?

  /// The service's version of ``current``, as `Response.versions` has it; nil where it is not told.
  public let currentVersion: String?

  /// The part of the sentence that does not follow from the code.
  public let reason: String?

  /// The error of the system or of the decoder behind this one.
  public let underlying: (any Error)?

  /// What it says of a write, where that does not follow from the code and the status.
  let givenScope: FailureScope?

  /// Makes an error, for tests and for fakes of a service.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - method: The request's method.
  ///   - url: The request's address.
  ///   - status: The status of the answer.
  ///   - body: The body of the answer.
  ///   - headers: The header fields of the answer, by their names in lower case.
  ///   - retryAfter: How long the service asks to wait.
  ///   - reason: The part of the sentence that does not follow from the code.
  ///   - underlying: The error behind this one.
  ///   - current: The service's model.
  ///   - message: The service's own words.
  ///   - fields: The service's words on single fields.
  ///   - currentVersion: The service's version of its model.
  ///   - failureScope: What it says of a write; nil for what follows from the code and the status.
  public init(
    _ code: Code,
    method: String? = nil,
    url: URL? = nil,
    status: Int? = nil,
    body: String? = nil,
    headers: [String: String] = [:],
    retryAfter: Duration? = nil,
    reason: String? = nil,
    underlying: (any Error)? = nil,
    current: (any Sendable)? = nil,
    message: String? = nil,
    fields: [String: [String]] = [:],
    currentVersion: String? = nil,
    failureScope: FailureScope? = nil
  ) {
    self.code = code
    self.method = method
    self.url = url
    self.status = status
    self.body = body
    self.headers = headers
    self.retryAfter = retryAfter.map { min(max($0, .zero), RetryAfter.longest) }
    retryDate = self.retryAfter.map { Date(timeIntervalSinceNow: $0.seconds) }
    self.reason = reason
    self.underlying = underlying
    self.current = current
    self.currentVersion = currentVersion
    givenScope = failureScope
    self.message = message
    self.fields = fields
  }

  /// Whether the service has nothing at the address.
  public var isNotFound: Bool { code == .notFound }
}

extension HTTPError {
  /// The status, or the kind of failure, without the address and the service's words.
  public var logDescription: String? { status.map { "\($0)" } ?? code.rawValue }
}

extension HTTPError {
  /// The kinds of failure; later versions may add some, so a `switch` needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, such as `timedOut`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing accepted the connection.
    public static let refused = Code(rawValue: "refused")

    /// There is no way to the host: no network, or no such name.
    public static let unreachable = Code(rawValue: "unreachable")

    /// The connection ended before the answer did.
    public static let connectionLost = Code(rawValue: "connectionLost")

    /// What answered does not speak HTTP, or speaks it wrong.
    public static let malformed = Code(rawValue: "malformed")

    /// The service asked to wait, so nothing was sent; see ``HTTPLimits/backoff``.
    public static let postponed = Code(rawValue: "postponed")

    /// The service failed so often that nothing is sent for a while; see ``HTTPLimits/breaker``.
    public static let suspended = Code(rawValue: "suspended")

    /// The answer was not complete within the timeout.
    public static let timedOut = Code(rawValue: "timedOut")

    /// The host could not prove its identity with a certificate.
    public static let untrusted = Code(rawValue: "untrusted")

    /// The address has no TLS, so nothing was sent.
    public static let insecure = Code(rawValue: "insecure")

    /// The service redirected the request to where it must not go.
    public static let redirectRefused = Code(rawValue: "redirectRefused")

    /// Status 401 or 403: no valid credential, or no permission.
    public static let unauthorized = Code(rawValue: "unauthorized")

    /// Status 404 or 410, where it does not mean that one model is missing.
    public static let notFound = Code(rawValue: "notFound")

    /// Status 409, where it does not mean that a stored model is there already.
    public static let conflict = Code(rawValue: "conflict")

    /// The service has a model with this id already, by ``HTTPFormat/refusals``.
    public static let alreadyExists = Code(rawValue: "alreadyExists")

    /// Status 412: the model has changed since the version that the request is based on.
    public static let preconditionFailed = Code(rawValue: "preconditionFailed")

    /// Any other status from 400 to 499.
    public static let client = Code(rawValue: "client")

    /// A status from 500 to 599.
    public static let server = Code(rawValue: "server")

    /// A status that answers no request of this library, such as a 304 that was not asked for.
    public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")

    /// The body is not the JSON that the models decode from, or not the service's answer at all.
    public static let undecodable = Code(rawValue: "undecodable")

    /// The pages of a list cannot be followed to its end.
    public static let incompleteList = Code(rawValue: "incompleteList")

    /// The body is larger than the service's configuration allows.
    public static let tooLarge = Code(rawValue: "tooLarge")

    /// The criteria have something that the query scheme cannot express.
    public static let unsupportedCriteria = Code(rawValue: "unsupportedCriteria")

    /// The request would concern more than the call does: a removal or a change without conditions.
    public static let unbounded = Code(rawValue: "unbounded")

    /// The format, or the service's configuration, contradicts itself; its ``HTTPError/description`` says how.
    public static let misconfigured = Code(rawValue: "misconfigured")

    /// The request has no address: the model's id does not fit into one, or the route is wrong.
    public static let unaddressable = Code(rawValue: "unaddressable")
  }
}
