import Foundation

/// Builds the URLs of a repository's routes.
struct HTTPAddress: Sendable {
  /// The parts of the base URL, which are the same for all requests.
  private struct Base: Sendable {
    /// Everything in front of the path.
    var origin: String
    var segments: [String]
    var query: [String]
  }

  private let path: String
  private let base: Result<Base, HTTPError>

  init(baseURL: URL, path: String) {
    self.path = path
    base = Result { () throws(HTTPError) in
      guard var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true) else {
        throw HTTPError(.unaddressable, url: baseURL, reason: "the base URL is not a valid URL")
      }
      let segments = components.percentEncodedPath.split(separator: "/").map(String.init)
      let query = (components.percentEncodedQuery ?? "").split(separator: "&").map(String.init)
      components.percentEncodedPath = ""
      components.percentEncodedQuery = nil
      components.fragment = nil
      guard let origin = components.string, components.url?.host() != nil else {
        throw HTTPError(
          .unaddressable, url: baseURL,
          reason: "the base URL has no host; write it as in https://example.com/api")
      }
      return Base(origin: origin, segments: segments, query: query)
    }
  }

  /// Returns the URL of a route, with all special characters percent-encoded.
  ///
  /// A segment `..` of the route leaves out the one before it, also of the base URL. A slash at the end
  /// of the route stays. If the route ends with the repository's path, a slash at the end of that path
  /// stays too.
  func url(
    _ template: String, id: String?, query: [URLQueryItem], of method: String
  ) throws(HTTPError) -> URL {
    let base = try base.get()
    let parts = template.split(separator: "?", maxSplits: 1).map(String.init)
    let route = (parts.first ?? "").replacing("{path}", with: path)
    let names = try segments(route, id, of: method).reduce(into: base.segments) { names, segment in
      if segment == ".." { _ = names.popLast() } else { names.append(segment) }
    }
    let end = route.hasSuffix("/") && !names.isEmpty ? "/" : ""
    var text = base.origin + "/" + names.joined(separator: "/") + end
    let own = parts.count > 1 ? try self.query(parts[1], id, of: method) : []
    let items = query.map { Self.escaped($0.name) + "=" + Self.escaped($0.value ?? "") }
    let all = base.query + own + items
    if !all.isEmpty { text += "?" + all.joined(separator: "&") }
    guard let url = URL(string: text) else { throw HTTPError(.unaddressable) }
    return url
  }

  /// Returns the address of a further page of a list, with the scheme and port of the base URL.
  ///
  /// A service behind a proxy often does not know its scheme and port. A host to which the service
  /// redirects names its own.
  ///
  /// - Parameters:
  ///   - link: The address in the service's answer, resolved against the address of the answer.
  ///   - other: The host that answered, which is accepted beside the host of the base URL.
  ///   - hidden: Query items that the app adds to each request, which the address must not contain.
  ///   - isBare: Whether the address must not contain the query items of the base URL either.
  /// - Returns: Nil for an address at another host.
  func following(
    _ link: URL, or other: String?, hiding hidden: Set<String>, isBare: Bool = false
  ) -> URL? {
    guard case .success(let base) = base, let host = link.host()?.lowercased(),
      host == URL(string: base.origin)?.host()?.lowercased() || host == other?.lowercased()
    else { return nil }
    let items = link.escapedItems.filter { !hidden.contains($0) && !base.query.contains($0) }
    let query = ((isBare ? [] : base.query) + items).joined(separator: "&")
    let path = link.path(percentEncoded: true)
    return URL(string: base.origin + path + (query.isEmpty ? "" : "?" + query))
  }

  /// Returns the scheme, host and port of an address, which are the same for all addresses of a service.
  static func service(of url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let port = url.port ?? (scheme == "http" ? 80 : 443)
    return "\(scheme)://\(url.host()?.lowercased() ?? ""):\(port)"
  }

  private func segments(
    _ route: String, _ id: String?, of method: String
  ) throws(HTTPError) -> [String] {
    var segments: [String] = []
    for segment in route.split(separator: "/") {
      guard segment.contains("{id}") else {
        segments.append(Self.escaped(String(segment)))
        continue
      }
      let id = try named(id, route, method: method)
      let text = segment.replacingOccurrences(of: "{id}", with: id)
      // Some proxies decode a path, and then resolve `..` even if it was part of an id. Some services
      // remove a slash at the end, and then the address names another model, or all models.
      let parts = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
      guard !id.isEmpty, !id.hasPrefix("/"), !id.hasSuffix("/"),
        !parts.contains(where: { $0 == "." || $0 == ".." })
      else {
        throw HTTPError(
          .unaddressable,
          reason:
            "an id that is empty, begins or ends with a slash, or has \".\" or \"..\" between "
            + "slashes, cannot be part of a path; use another id"
        )
      }
      segments.append(Self.escaped(text))
    }
    return segments
  }

  /// Returns the query of a route, such as `id=eq.{id}`, with the id filled in.
  private func query(
    _ template: String, _ id: String?, of method: String
  ) throws(HTTPError) -> [String] {
    var items: [String] = []
    for item in template.split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
      var value = parts.count > 1 ? parts[1] : ""
      if value.contains("{id}") {
        let id = try named(id, template, method: method)
        guard !id.isEmpty else {
          throw HTTPError(
            .unaddressable, reason: "an empty id cannot be part of a query; use another id")
        }
        value = value.replacingOccurrences(of: "{id}", with: id)
      }
      items.append(Self.escaped(parts.first ?? "") + "=" + Self.escaped(value))
    }
    return items
  }

  private func named(
    _ id: String?, _ route: String, method: String
  ) throws(HTTPError) -> String {
    guard let id else {
      throw HTTPError(
        .unaddressable,
        reason:
          "the route \(method) \(route) is for one model, and the call for several; use a route "
          + "without {id}"
      )
    }
    return id
  }

  /// Percent-encodes a text, including `+`.
  ///
  /// `URLQueryItem` leaves `+` as it is, and services read it as a space.
  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ isPlain[Int($0)] }) { return text }
    let plain = CharacterSet(charactersIn: plain)
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  private static let plain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,:@"

  /// For each byte, whether it is written as it is.
  private static let isPlain = (0...UInt8.max).map(plain.utf8.contains)
}

extension URL {
  /// The items of the query, percent-encoded.
  var escapedItems: [String] {
    (query(percentEncoded: true) ?? "").split(separator: "&").map(String.init)
  }
}
