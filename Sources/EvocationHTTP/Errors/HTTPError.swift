public import Evocation
public import Foundation

/// The reason why a request was not sent, was not answered, or was refused.
///
/// Its ``description`` is one sentence without user data. Its ``body`` is the text of the service's
/// answer.
///
/// ```swift
/// if let error = result.error as? HTTPError, error.code == .unauthorized { signIn() }
/// ```
public struct HTTPError: ConflictError, CustomStringConvertible, LocalizedError {
  /// The kind of failure.
  public let code: Code

  /// The request's method, or nil if there was no request yet.
  public let method: String?

  /// The request's address with its query, or nil if there was no request yet.
  public let url: URL?

  /// The status of the answer, or nil if there was none.
  public let status: Int?

  /// The body of the answer, cut off after 4096 bytes; it may contain user data.
  public let body: String?

  /// The header fields of the answer, by their names in lowercase.
  public let headers: [String: String]

  /// How long the service asks to wait, at most ten years.
  public internal(set) var retryAfter: Duration?

  /// The date from which the service accepts requests, by this device's clock; nil if it named none.
  public internal(set) var retryDate: Date?

  /// The service's own error message; it may contain user data.
  ///
  /// ``HTTPFormat/refusals`` names the place where Evocation looks for it.
  public let message: String?

  /// The service's messages about single fields, by its names of the fields; they may contain user data.
  ///
  /// Names of nested fields have dots, such as `owner.name`.
  public let fields: [String: [String]]

  /// The service's model, if a 409 or a 412 to a write of one model has it in the body.
  public let current: (any Sendable)?

  /// The service's version of ``current``, as in `Response.versions`; nil if it is not known.
  public let currentVersion: String?

  /// The part of the sentence that does not follow from the code.
  public let reason: String?

  /// The error of the system, of the decoder or of your authorization closure that caused this one.
  public let underlying: (any Error)?

  /// The scope of the failure, if it does not follow from the code and the status.
  let givenScope: FailureScope?

  /// What became of the request and how to fix it, if these do not follow from the code.
  var givenOutcome: Outcome?

  /// Whether the request was a read, although its method is that of a write.
  var isOfRead = false

  /// Whether the service has ended a stream in order, after it had sent something.
  package internal(set) var isOrderlyEnd = false

  /// Whether only the service's model can say whether it performed the write.
  var isDoubtful = false

  /// Creates an error, for tests and for fakes of a service.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - method: The request's method.
  ///   - url: The request's address.
  ///   - status: The status of the answer.
  ///   - body: The body of the answer.
  ///   - headers: The header fields of the answer, by their names in lowercase.
  ///   - retryAfter: How long the service asks to wait.
  ///   - reason: The part of the sentence that does not follow from the code.
  ///   - underlying: The error that caused this one.
  ///   - current: The service's model.
  ///   - message: The service's own message.
  ///   - fields: The service's messages about single fields.
  ///   - currentVersion: The service's version of its model.
  ///   - failureScope: Whether the error is about the write; nil if that follows from the code and the
  ///     status.
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
  /// The status, the message and the fields, as the outbox keeps them.
  public var serviceWords: ServiceWords? {
    ServiceWords(status: status, message: message, fields: fields)
  }

  /// The status, or the kind of failure, without the address and the service's message.
  public var logDescription: String? { status.map { "\($0)" } ?? code.rawValue }
}

extension HTTPError {
  /// The kinds of failure; later versions may add some, so a `switch` needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, such as `timedOut`.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing accepted the connection.
    public static let refused = Code(rawValue: "refused")

    /// The host cannot be reached: no network, or no such name.
    public static let unreachable = Code(rawValue: "unreachable")

    /// The connection ended before the answer did.
    public static let connectionLost = Code(rawValue: "connectionLost")

    /// The answer is not HTTP, or not valid HTTP.
    public static let malformed = Code(rawValue: "malformed")

    /// The service asked to wait, so nothing was sent; see ``HTTPLimits/backoff``.
    public static let postponed = Code(rawValue: "postponed")

    /// The service failed several times, so nothing is sent for a while; see ``HTTPLimits/breaker``.
    public static let suspended = Code(rawValue: "suspended")

    /// The answer was not complete before the timeout.
    public static let timedOut = Code(rawValue: "timedOut")

    /// The host could not prove its identity with a certificate.
    public static let untrusted = Code(rawValue: "untrusted")

    /// The address has no TLS, so nothing was sent.
    public static let insecure = Code(rawValue: "insecure")

    /// The service redirected the request to an address that it must not be sent to.
    public static let redirectRefused = Code(rawValue: "redirectRefused")

    /// No valid credential (401, or none from the closure), or no permission (403).
    public static let unauthorized = Code(rawValue: "unauthorized")

    /// Status 404 or 410, unless it means that a single model is missing.
    public static let notFound = Code(rawValue: "notFound")

    /// Status 409, unless a stored model already exists.
    public static let conflict = Code(rawValue: "conflict")

    /// The service already has a model with this id, by ``HTTPFormat/refusals``.
    public static let alreadyExists = Code(rawValue: "alreadyExists")

    /// Status 412: the model has changed since the version on which the request is based.
    public static let preconditionFailed = Code(rawValue: "preconditionFailed")

    /// Any other status from 400 to 499.
    public static let client = Code(rawValue: "client")

    /// A status from 500 to 599.
    public static let server = Code(rawValue: "server")

    /// A status that answers no request of this library, such as a 304 without an `If-None-Match`.
    public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")

    /// The body is not the JSON that the models decode from, or not the service's answer at all.
    public static let undecodable = Code(rawValue: "undecodable")

    /// Evocation cannot follow the pages of a list to its end.
    public static let incompleteList = Code(rawValue: "incompleteList")

    /// The body is larger than the service's configuration allows.
    public static let tooLarge = Code(rawValue: "tooLarge")

    /// The criteria contain something that the format's queries cannot express.
    public static let unsupportedCriteria = Code(rawValue: "unsupportedCriteria")

    /// A removal or a change without conditions, which would concern more models than the call does.
    public static let unbounded = Code(rawValue: "unbounded")

    /// The request would clear properties that no answer of the service had; it was not sent.
    public static let incompleteModel = Code(rawValue: "incompleteModel")

    /// The format or the service's configuration contradicts itself, as the ``HTTPError/description`` says.
    public static let misconfigured = Code(rawValue: "misconfigured")

    /// The request has no address: the model's id does not fit into one, or the route is wrong.
    public static let unaddressable = Code(rawValue: "unaddressable")
  }
}
