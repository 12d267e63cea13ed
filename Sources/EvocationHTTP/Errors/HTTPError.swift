public import Evocation
public import Foundation

/// Why a request was not sent, was not answered, or was refused.
///
/// Its ``description`` is one sentence without any user data; ``body`` is what the service said.
///
/// ```swift
/// if let error = result.error as? HTTPError, error.code == .unauthorized { signIn() }
/// ```
public struct HTTPError: ClassifiedError {
  /// The kind of failure.
  public let code: Code

  /// The request's method, or nil when there was no request yet.
  public let method: String?

  /// The request's address with its query, or nil when there was no request yet.
  public let url: URL?

  /// The status of the answer, or nil when there was none.
  public let status: Int?

  /// What the service said, cut off after 4096 bytes; it may hold user data.
  public let body: String?

  /// The header fields of the answer, by their names in lower case.
  public let headers: [String: String]

  /// How long the service asks to wait.
  public let retryAfter: Duration?

  /// The part of the sentence that the code alone does not tell.
  public let reason: String?

  /// The error of the system or of the decoder behind this one.
  public let underlying: (any Error)?

  /// Makes an error, as tests and stand-ins for a service need it.
  public init(
    _ code: Code,
    method: String? = nil,
    url: URL? = nil,
    status: Int? = nil,
    body: String? = nil,
    headers: [String: String] = [:],
    retryAfter: Duration? = nil,
    reason: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.method = method
    self.url = url
    self.status = status
    self.body = body
    self.headers = headers
    self.retryAfter = retryAfter
    self.reason = reason
    self.underlying = underlying
  }

  /// Whether it is worth trying again; the status decides where there is one.
  public var failureKind: FailureKind {
    switch code {
    case .refused, .unreachable, .connectionLost, .timedOut: .transient
    case .unauthorized: .authorization
    case .client: [408, 425, 429].contains(status) ? .transient : .permanent
    case .server: status == 501 ? .permanent : .transient
    default: .permanent
    }
  }
}
