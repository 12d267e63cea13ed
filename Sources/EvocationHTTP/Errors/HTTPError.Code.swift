extension HTTPError {
  /// The kinds of failure; later versions may add some, so a `switch` needs a `default`.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The name, such as `timedOut`.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing took the connection.
    public static let refused = Code(rawValue: "refused")

    /// There is no way to the host: no network, or no such name.
    public static let unreachable = Code(rawValue: "unreachable")

    /// The connection ended before the answer did.
    public static let connectionLost = Code(rawValue: "connectionLost")

    /// The answer was not complete within the timeout.
    public static let timedOut = Code(rawValue: "timedOut")

    /// The host could not prove with a certificate that it is the one.
    public static let untrusted = Code(rawValue: "untrusted")

    /// The address has no TLS, so nothing was sent.
    public static let insecure = Code(rawValue: "insecure")

    /// The service sent the request somewhere where it must not follow.
    public static let redirectRefused = Code(rawValue: "redirectRefused")

    /// Status 401 or 403: no credential, or not the right.
    public static let unauthorized = Code(rawValue: "unauthorized")

    /// Status 404 or 410, where it does not mean that one model is missing.
    public static let notFound = Code(rawValue: "notFound")

    /// Status 409, where it does not mean that a stored model is there already.
    public static let conflict = Code(rawValue: "conflict")

    /// Status 412: the model is no longer what the request took it for.
    public static let preconditionFailed = Code(rawValue: "preconditionFailed")

    /// Any other status from 400 to 499.
    public static let client = Code(rawValue: "client")

    /// A status from 500 to 599.
    public static let server = Code(rawValue: "server")

    /// A status that answers no request of this library, such as 304 without a question.
    public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")

    /// The body is not the JSON that the models decode from.
    public static let undecodable = Code(rawValue: "undecodable")

    /// The body is larger than the configuration allows.
    public static let tooLarge = Code(rawValue: "tooLarge")

    /// The criteria say what the query scheme cannot.
    public static let unsupportedCriteria = Code(rawValue: "unsupportedCriteria")

    /// There is no address for the request: a model's id does not go into one, or a route is wrong.
    public static let unaddressable = Code(rawValue: "unaddressable")
  }
}
