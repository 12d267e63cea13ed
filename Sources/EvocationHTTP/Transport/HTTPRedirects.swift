import Foundation

/// Follows redirects: the next request, and the header fields that it keeps.
///
/// The session does not do it, because on Linux it copies every field into the next request,
/// credentials included, and loses the body.
struct HTTPRedirects {
  /// The request to send, at first the original one.
  private(set) var request: HTTPRequest
  /// The fields to send it with.
  private(set) var fields: HTTPFields

  private let original: HTTPRequest
  private let limits: HTTPExchange.Limits
  private var count = 0

  init(_ request: HTTPRequest, _ fields: HTTPFields, _ limits: HTTPExchange.Limits) {
    self.request = request
    self.fields = fields
    self.limits = limits
    original = request
  }

  /// Takes an answer, and says whether another request must be sent for it.
  ///
  /// Fields that were removed for another host do not come back, wherever the next redirect leads.
  mutating func follow(_ answer: HTTPAnswer) throws(HTTPError) -> Bool {
    guard [301, 302, 303, 307, 308].contains(answer.status),
      let location = answer.headers["location"]
    else { return false }
    count += 1
    guard count <= 10 else { throw refusal(answer, "more than 10 times") }
    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      let host = url.host()
    else { throw refusal(answer, "by \(answer.status) to no address") }
    guard limits.allows(url) else {
      throw refusal(answer, "by \(answer.status) to \(host), which has no TLS")
    }
    guard request.method == "GET" || [307, 308].contains(answer.status) else {
      throw refusal(
        answer, "by \(answer.status), which would turn the \(request.method) into a GET"
      )
    }
    if Self.origin(url) != Self.origin(request.url) {
      fields = fields.withoutCredentials
    }
    request.url = url
    return true
  }

  private func refusal(_ answer: HTTPAnswer, _ reason: String) -> HTTPError {
    HTTPError(
      .redirectRefused,
      method: original.method,
      url: original.url,
      status: answer.status,
      headers: answer.headers,
      reason: reason
    )
  }

  private static func origin(_ url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
  }
}
