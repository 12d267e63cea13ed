import Evocation
import Foundation

extension HTTPFormat {
  /// Returns an error if the format or the service's configuration contradicts itself or cannot be sent.
  func contradiction(with service: HTTPService) -> HTTPError? {
    let address = Self.problem(of: service.baseURL)
    if let address { return HTTPError(.unaddressable, url: nil, reason: address) }
    let problem =
      problemOfRoutes ?? problemOfFields(service.configuration) ?? problemOfFilters
      ?? problemOfPages ?? problemOfNumbers(service.configuration) ?? live?.problem
    return problem.map { HTTPError(.misconfigured, reason: $0) }
  }

  private static func problem(of url: URL) -> String? {
    guard let host = url.host(), !host.isEmpty else {
      return "the base URL has no host; write it as in https://example.com/api"
    }
    guard url.user() == nil, url.password() == nil else {
      return "the base URL holds a user name or a password; pass them in the authorization closure"
    }
    guard url.fragment() == nil else {
      return "the base URL has a fragment, which Evocation never sends; remove it"
    }
    return nil
  }

  private var problemOfRoutes: String? {
    var problem: String?
    var routes = routes
    routes.change { route in
      if !route.method.isToken {
        problem =
          problem
          ?? "a route's method is \"\(route.method.printable)\", which is not a method; use one "
          + "such as PATCH"
      }
      for name in route.headers.keys { problem = problem ?? Self.problem(ofField: name) }
    }
    if let problem { return problem }
    for case (let name, let route?) in [
      ("updateOne", routes.updateOne), ("storeOrUpdateOne", routes.storeOrUpdateOne),
      ("removeOne", routes.removeOne),
    ] where !route.hasID && (name == "removeOne" || route.method != "POST") {
      return "the route \(name) has no {id}, so it does not name the model; add {id} to it"
    }
    for (name, route) in [
      ("find", routes.find), ("store", routes.store), ("update", routes.update),
      ("storeOrUpdate", routes.storeOrUpdate), ("remove", routes.remove),
    ] where route?.namesModel == true {
      return
        "the route \(name) is for several models and has {id}, which names one model; remove {id}"
    }
    if case .client = identifiers { return nil }
    return routes.storeOne.namesModel
      ? "the service creates the ids of new models, and the route storeOne has {id}; remove {id}"
      : nil
  }

  private func problemOfFields(_ service: HTTPService.Configuration) -> String? {
    for name in Array(service.headers.keys) + Array(headers.keys)
      + (idempotency.map { [$0.field] } ?? [])
    {
      if let problem = Self.problem(ofField: name) { return problem }
    }
    return nil
  }

  private static func problem(ofField name: String) -> String? {
    guard !name.isToken else { return nil }
    return "a header field is called \"\(name.printable)\", which is not a valid name; rename it"
  }

  private var problemOfFilters: String? {
    guard query == nil else { return nil }
    return parameters.contains(identifierKey)
      ? "the identifierKey is one of the parameters; remove it there" : nil
  }

  private var problemOfPages: String? {
    if let largest = filters.largestPage, largest < 1 {
      return "filters.largestPage is \(largest), so no model fits into an answer; raise it"
    }
    switch next {
    case .offset, .pages: break
    case .never, .link, .header, .key, .token, .last, nil: return nil
    }
    if filters.largestPage == nil {
      return
        "lists continue by offset, and filters.largestPage is nil; set it to the length of a page"
    }
    if case .limit = filters.paging {
      return "lists continue by offset, and filters.paging has no offset; use paging that has one"
    }
    return nil
  }

  private func problemOfNumbers(_ service: HTTPService.Configuration) -> String? {
    let limits = service.limits
    if service.maximumResponseSize < 0 { return "the maximumResponseSize is negative; raise it" }
    if maximumPages < 1 {
      return "maximumPages is \(maximumPages), so Evocation cannot read any list; raise it"
    }
    if limits.requestsAtOnce < 1 { return "limits.requestsAtOnce is below 1; raise it" }
    if let batch, batch.size < 1 {
      return "batch.size is below 1, so a batch holds no request; raise it"
    }
    if readOnlyKeys.contains(identifierKey), case .client = identifiers {
      return
        "the identifierKey is read-only, and your app creates the ids; remove it from readOnlyKeys"
    }
    if let rate = limits.rate, rate.requests < 1 || rate.span <= .zero {
      return "limits.rate allows no request; raise it"
    }
    return nil
  }
}

extension HTTPError {
  /// Creates the error of a coding key that does not come back.
  init(lost key: LostKey) {
    self.init(
      .misconfigured,
      reason:
        "the encoder writes the coding key \"\(key.key)\" as \"\(key.name)\", which the decoder "
        + "reads as \"\(key.read)\", so its value would be lost; name the coding key \"\(key.read)\""
    )
  }

  /// Creates the error of a write that has to give back a key which the encoder does not write.
  init(unwritable key: String, as name: String) {
    self.init(
      .misconfigured,
      reason:
        "the service's models have \"\(key)\", which the encoder writes as \"\(name)\", so that a "
        + "PUT would clear it; set the route to a PATCH, or name the key in readOnlyKeys")
  }
}

extension HTTPFormat.Live {
  /// What is wrong with the stream; nil if nothing is.
  fileprivate var problem: String? {
    for route in [route, subscription?.route].compactMap(\.self) {
      if !route.method.isToken {
        return "a route of live has no valid method; use one such as GET"
      }
      if route.namesModel { return "a route of live has {id}, which names one model; remove {id}" }
    }
    if longestSilence <= .zero { return "live.longestSilence allows no event; raise it" }
    if case .webSocket(let socket)? = source?.way, socket.heartbeatInterval <= .zero {
      return "the heartbeatInterval of live.source is not positive; raise it"
    }
    if greetingTimeout <= .zero { return "live.greetingTimeout allows no greeting; raise it" }
    return maximumEventSize < 1 ? "live.maximumEventSize allows no event; raise it" : nil
  }
}

extension String {
  /// Whether the text can be a method or the name of a header field (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool {
    let marks = "!#$%&'*+-.^_`|~"
    return !isEmpty
      && utf8.allSatisfy { byte in
        let letter = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (letter.isLetter || letter.isNumber || marks.contains(letter))
      }
  }

  /// The text without control characters, for sentences.
  fileprivate var printable: String {
    String(unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
  }
}
