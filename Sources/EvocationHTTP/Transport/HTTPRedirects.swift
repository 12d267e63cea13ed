import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which redirects of one request are followed, and with what.
struct HTTPRedirects {
  enum Step {
    case follow(URLRequest)
    case refuse(String)
  }

  private let original: URLRequest
  private var count = 0
  private var hasLeft = false

  init(_ original: URLRequest) {
    self.original = original
  }

  /// Decides on a redirect; each call counts as one.
  ///
  /// The fields are taken from the original request, since Linux copies all of them into the next
  /// one, and Apple's systems some. Once the host was left, they stay behind for good.
  mutating func follow(
    _ next: URLRequest, by status: Int, _ limits: HTTPExchange.Limits
  ) -> Step {
    count += 1
    guard count <= 10 else { return .refuse("more than 10 times") }
    guard let url = next.url, let host = url.host() else {
      return .refuse("by \(status) to no address")
    }
    guard limits.allows(url) else {
      return .refuse("by \(status) to \(host), which has no TLS")
    }
    let method = original.httpMethod ?? "GET"
    guard method == "GET" || status == 307 || status == 308 else {
      return .refuse("by \(status), which would turn the \(method) into a GET")
    }
    hasLeft = hasLeft || Self.origin(url) != original.url.map(Self.origin)
    var request = original
    request.url = url
    if hasLeft {
      for name in (original.allHTTPHeaderFields ?? [:]).keys where !Self.isHarmless(name) {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    return .follow(request)
  }

  private static func isHarmless(_ name: String) -> Bool {
    ["accept", "content-type", "if-none-match", "idempotency-key"].contains(name.lowercased())
  }

  private static func origin(_ url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
  }
}
