import Foundation

/// Follows redirects: the next request, and the header fields that it keeps.
///
/// The session does not do it, because on Linux it copies every field into the next request, including
/// credentials, and loses the body.
struct HTTPRedirects {
  /// The request to send, at first the original one.
  private(set) var request: HTTPRequest
  /// The fields to send with it.
  private(set) var fields: HTTPFields

  private let original: HTTPRequest
  private let key: String?
  private let trust: HTTPTrust
  private var count = 0

  init(_ request: HTTPRequest, _ fields: HTTPFields, trust: HTTPTrust, key: String?) {
    self.key = key
    self.request = request
    self.fields = fields
    self.trust = trust
    original = request
  }

  /// Whether the request was redirected.
  var isElsewhere: Bool { count > 0 }

  /// Whether the request has left the service, and has lost the fields that are only for the service.
  private(set) var isForeign = false

  /// Whether a write was performed, and the request is for its result.
  private(set) var isOfResult = false

  /// Takes an answer, and returns whether another request must be sent for it.
  ///
  /// Fields that were removed for another host do not return, wherever the next redirect leads. A 303
  /// to a write says that it was performed, and names the address of its result.
  mutating func follow(_ answer: HTTPAnswer) throws(HTTPError) -> Bool {
    guard [301, 302, 303, 307, 308].contains(answer.status),
      let location = answer.headers["location"]
    else { return false }
    count += 1
    guard count <= 10 else { throw refusal(answer, "more than 10 times") }
    guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
      let host = url.host()
    else { throw refusal(answer, "by \(answer.status) to no address") }
    guard trust.allows(url) else {
      throw refusal(answer, "by \(answer.status) to \(host), which has no TLS")
    }
    let isRead = ["GET", "HEAD"].contains(request.method)
    guard isRead || [303, 307, 308].contains(answer.status) else {
      throw refusal(
        answer, "by \(answer.status), which would turn the \(request.method) into a GET"
      )
    }
    let isElsewhere = HTTPAddress.service(of: url) != HTTPAddress.service(of: request.url)
    if isElsewhere {
      isForeign = true
      fields = fields.keeping(original.ownFields(key))
    }
    if !isRead, answer.status == 303 {
      isOfResult = true
      request = HTTPRequest(method: "GET", url: url, done: request.done)
      for name in ["Content-Type", "If-Match", "If-None-Match", "If-Unmodified-Since"] {
        fields[name] = nil
      }
      return true
    }
    guard isRead || !isElsewhere || trust.allowsBody(at: url) else {
      throw refusal(
        answer,
        "by \(answer.status) to \(host), and Evocation sends a write's body there only if "
          + "redirectHosts names that host"
      )
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
}
