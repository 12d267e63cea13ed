import Evocation
import Foundation

/// How a request is made: its address, and the parts that the route and the format say.
extension HTTPClient {
  /// Returns the request of a route.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - id: The id of the model that the request is about.
  ///   - query: The query of a read, or of the removal of several models.
  ///   - json: The models of a write as JSON; nil for a read.
  ///   - body: A body that is sent as it is; nil for one that the format writes.
  ///   - idempotencyKey: The key of a write; nil for a read.
  ///   - modelID: The id of the model if it is not in the address.
  /// - Returns: The request.
  /// - Throws: ``HTTPError`` for a request that cannot be sent, and what the closure of a body throws.
  func request(
    _ route: HTTPFormat.Route, id: String? = nil, query: HTTPQuery = HTTPQuery(),
    json: Data? = nil, body: Data? = nil, idempotencyKey: String? = nil, modelID: String? = nil
  ) throws -> HTTPRequest {
    if let contradiction { throw contradiction }
    let isRead = idempotencyKey == nil && body == nil
    var call = HTTPBody.Call(
      json: json, id: id ?? modelID, criteria: query.criteria, items: query.items)
    (call.hasNumbers, call.numbers) = (hasNumericIDs, Set(format.filters.paging.names))
    let ownBody = route.body
    let body = try body ?? (ownBody ?? (isRead ? nil : format.body))?.make(call)
    let items = ownBody != nil && isRead ? [] : query.items
    var url = try address.url(route.path, id: id, query: items, of: route.method)
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
    request.timeout = route.timeout
    let idempotency = route.idempotency ?? format.idempotency
    request.keyField = idempotency?.field
    if case .key = idempotency { request.isKnownByKey = true }
    (request.contentType, request.readsByBody) = (ownBody?.contentType, ownBody != nil && isRead)
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
