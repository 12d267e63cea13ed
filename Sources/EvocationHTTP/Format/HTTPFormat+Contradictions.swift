import Evocation
import Foundation

extension HTTPFormat {
  /// Returns an error if the format or the service's configuration contradicts itself or cannot be sent.
  func contradiction(with service: HTTPService) -> HTTPError? {
    let address = Self.problem(of: service.baseURL)
    if let address { return HTTPError(.unaddressable, url: nil, reason: address) }
    let problem =
      problemOfRoutes ?? problemOfFields(service.configuration) ?? problemOfFilters
      ?? problemOfPages ?? problemOfNumbers(service.configuration)
    return problem.map { HTTPError(.misconfigured, reason: $0) }
  }

  private static func problem(of url: URL) -> String? {
    guard let host = url.host(), !host.isEmpty else {
      return "the base URL has no host; write it as in https://example.com/api"
    }
    guard url.user() == nil, url.password() == nil else {
      return "the base URL holds a user's name or password; give them by the authorization closure"
    }
    guard url.fragment() == nil else { return "the base URL has a fragment, which is never sent" }
    return nil
  }

  private var problemOfRoutes: String? {
    var problem: String?
    var routes = routes
    routes.change { route in
      if !route.method.isToken {
        problem = problem ?? "a route's method is \"\(route.method.printable)\", which is no method"
      }
      for name in route.headers.keys { problem = problem ?? Self.problem(ofField: name) }
    }
    if let problem { return problem }
    for case (let name, let route?) in [
      ("updateOne", routes.updateOne), ("storeOrUpdateOne", routes.storeOrUpdateOne),
      ("removeOne", routes.removeOne),
    ] where !route.namesModel && (name == "removeOne" || route.method != "POST") {
      return "the route \(name) has no {id}, so that it does not say which model is meant"
    }
    for (name, route) in [
      ("find", routes.find), ("store", routes.store), ("update", routes.update),
      ("storeOrUpdate", routes.storeOrUpdate), ("remove", routes.remove),
    ] where route?.namesModel == true {
      return "the route \(name) is for several models and has {id}, which is one model's"
    }
    if case .client = identifiers { return nil }
    return routes.storeOne.namesModel
      ? "the service gives new models their ids, and the route storeOne has {id}" : nil
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
    return "a header field is called \"\(name.printable)\", which is no name of a field"
  }

  private var problemOfFilters: String? {
    guard query == nil else { return nil }
    return parameters.contains(identifierKey) ? "the identifierKey is among the parameters" : nil
  }

  private var problemOfPages: String? {
    if let largest = filters.largestPage, largest < 1 {
      return "filters.largestPage is \(largest), so that no model fits into an answer"
    }
    guard case .offset = next else { return nil }
    if filters.largestPage == nil {
      return "a list goes on by its offset, and filters.largestPage does not say how long a part is"
    }
    if case .limit = filters.paging {
      return "a list goes on by its offset, and filters.paging has none"
    }
    return nil
  }

  private func problemOfNumbers(_ service: HTTPService.Configuration) -> String? {
    let limits = service.limits
    if service.maximumResponseSize < 0 { return "the maximumResponseSize is less than nothing" }
    if maximumPages < 1 { return "maximumPages is \(maximumPages), so that no list can be read" }
    if limits.requestsAtOnce < 1 { return "limits.requestsAtOnce is less than one" }
    if let batch, batch.size < 1 { return "the batch endpoint takes no request at once" }
    if readOnlyKeys.contains(identifierKey), case .client = identifiers {
      return "the identifierKey is read-only, and the app gives the ids"
    }
    if let rate = limits.rate, rate.requests < 1 || rate.span <= .zero {
      return "limits.rate lets no request through"
    }
    return nil
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
