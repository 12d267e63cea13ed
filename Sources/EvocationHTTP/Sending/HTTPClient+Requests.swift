import Evocation
import Foundation

/// How a request is made: its address, and the parts that the route and the format say.
extension HTTPClient {
  /// Returns the request of a route.
  func request(
    _ route: HTTPFormat.Route, id: String? = nil, query: HTTPQuery = HTTPQuery(),
    body: Data? = nil, idempotencyKey: String? = nil
  ) throws(HTTPError) -> HTTPRequest {
    if let contradiction { throw contradiction }
    var url = try address.url(route.path, id: id, query: query.items, of: route.method)
    if let link = query.address {
      guard let next = address.following(link, or: nil, hiding: []) else {
        throw HTTPError(
          .incompleteList, method: route.method, url: url,
          reason:
            "continues at \(link.host() ?? "another host"), and Evocation does not follow links "
            + "to other hosts"
        )
      }
      url = next
    }
    var request = HTTPRequest(
      method: route.method, url: url, body: body, headers: route.headers,
      idempotencyKey: idempotencyKey, condition: route.onlyIfAbsent ? .absent : nil,
      done: route.done, path: route.path, mayBeEmpty: route.mayBeEmpty)
    if let range = query.range { request.headers["Range"] = range }
    request.session = service.credentials.session
    return request
  }

  /// Returns the request for a list, or a part of one.
  func request(
    _ route: HTTPFormat.Route, _ criteria: Criteria, items: [URLQueryItem]
  ) throws -> HTTPRequest {
    var query = try written(criteria)
    query.items += items
    return try request(route, query: query)
  }

  /// Returns the query of criteria.
  func written(_ criteria: Criteria, isOrdered: Bool = true) throws -> HTTPQuery {
    try format.written(criteria, names: names, text: text, isOrdered: isOrdered)
  }

  /// The way in which values are written in addresses.
  var text: ScalarText {
    var text = ScalarText(encoder: format.encoder)
    if uuids.isLower { text.uuid = { $0.uuidString.lowercased() } }
    return text
  }

  /// Returns the address of a further page that an answer names; nil for an address at another host.
  ///
  /// An address for the app has no query items that each request has, such as a key.
  func following(_ text: String, _ answer: HTTPAnswer, isGiven: Bool = false) -> URL? {
    guard !text.isEmpty, let link = URL(string: text, relativeTo: answer.url)?.absoluteURL else {
      return nil
    }
    return address.following(
      link, or: answer.url?.host(), hiding: answer.hidden, isBare: isGiven)
  }
}
