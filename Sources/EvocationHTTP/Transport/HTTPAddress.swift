import Foundation

/// Makes the URLs of a repository's routes.
struct HTTPAddress: Sendable {
  let baseURL: URL
  let path: String

  /// The URL of a route; all that has another meaning in a URL is percent-encoded.
  func url(
    _ route: HTTPConfiguration.Route, id: String?, query: [URLQueryItem]
  ) throws(HTTPError) -> URL {
    guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
      throw HTTPError(.unaddressable, url: baseURL, reason: "the base URL is not a valid URL")
    }
    let base = components.percentEncodedPath.split(separator: "/").map(String.init)
    components.percentEncodedPath = "/" + (base + (try segments(route, id))).joined(separator: "/")
    if !query.isEmpty {
      let items = query.map { Self.escaped($0.name) + "=" + Self.escaped($0.value ?? "") }
      let present = components.percentEncodedQuery.map { [$0] } ?? []
      components.percentEncodedQuery = (present + items).joined(separator: "&")
    }
    guard let url = components.url, url.host() != nil else {
      throw HTTPError(.unaddressable, url: baseURL, reason: "the base URL has no host")
    }
    return url
  }

  /// The scheme, host and port of an address, the same for all addresses of one service.
  static func service(of url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "http" ? 80 : 443)
    return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
  }

  private func segments(
    _ route: HTTPConfiguration.Route, _ id: String?
  ) throws(HTTPError) -> [String] {
    var segments: [String] = []
    let template = route.path.replacingOccurrences(of: "{path}", with: path)
    for segment in template.split(separator: "/") {
      guard segment.contains("{id}") else {
        segments.append(Self.escaped(String(segment)))
        continue
      }
      guard let id else {
        throw HTTPError(
          .unaddressable,
          reason: "the route \(route.method) \(route.path) is for one model, the call for several"
        )
      }
      let text = segment.replacingOccurrences(of: "{id}", with: id)
      guard !id.isEmpty, text != ".", text != ".." else {
        throw HTTPError(
          .unaddressable, reason: "an id that is empty, \".\" or \"..\" cannot stand in a path"
        )
      }
      segments.append(Self.escaped(text))
    }
    return segments
  }

  /// Percent-encodes `+` too: `URLQueryItem` leaves it as it is, and services read it as a space.
  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }

  private static let allowed = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,:@"
  )
}
