import Evocation
import EvocationHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What an alert says of a failed request, and which fix the developer reads.
@Suite struct HTTPErrorTextTests {
  private static let alerts: [(HTTPError.Code, Int?, String, AlertText)] = [
    (.refused, nil, "GET", .unreachable), (.unreachable, nil, "GET", .unreachable),
    (.connectionLost, nil, "GET", .notAnswered), (.connectionLost, nil, "POST", .uncertain),
    (.timedOut, nil, "GET", .notAnswered), (.timedOut, nil, "PUT", .uncertain),
    (.untrusted, nil, "GET", .insecure), (.insecure, nil, "GET", .insecure),
    (.unauthorized, 401, "GET", .signedOut), (.unauthorized, 403, "GET", .forbidden),
    (.notFound, 404, "GET", .notFound), (.alreadyExists, 409, "POST", .alreadyExists),
    (.conflict, 409, "PUT", .conflict), (.preconditionFailed, 412, "PUT", .conflict),
    (.postponed, nil, "GET", .unavailable), (.suspended, nil, "GET", .unavailable),
    (.server, 500, "GET", .unavailable), (.client, 429, "GET", .unavailable),
    (.client, 422, "POST", .changeRefused), (.client, 422, "GET", .requestRefused),
    (.undecodable, 200, "GET", .unreadableAnswer), (.malformed, nil, "GET", .unreadableAnswer),
    (.incompleteList, 200, "GET", .unreadableAnswer), (.tooLarge, 200, "GET", .unreadableAnswer),
    (.unexpectedStatus, 304, "GET", .unreadableAnswer),
    (.redirectRefused, 302, "GET", .unreadableAnswer),
    (.unsupportedCriteria, nil, "GET", .appFailed), (.misconfigured, nil, "GET", .appFailed),
    (.unaddressable, nil, "GET", .appFailed), (.unbounded, nil, "DELETE", .appFailed),
  ]

  @Test func `an alert says what happened, without the address and the service's words`() {
    for (code, status, method, alert) in Self.alerts {
      let error = HTTPError(
        code, method: method, url: URL(string: "https://example.com/cars/4711"), status: status,
        body: "4711", message: "4711", fields: ["id": ["4711"]])
      #expect((error as any Error).localizedDescription == alert.rawValue, "\(code) \(method)")
      #expect(error.recoverySuggestion?.contains("4711") == false)
    }
  }

  @Test func `no network and a network's own page are said as they are`() {
    let offline = HTTPError(.unreachable, underlying: URLError(.notConnectedToInternet))
    #expect((offline as any Error).localizedDescription == "There is no internet connection.")
    let portal = HTTPError(.undecodable, method: "GET", status: 200, failureScope: .service)
    #expect((portal as any Error).localizedDescription == "This network asks you to sign in first.")
  }

  @Test func `a write that came half way says so, and names no id`() {
    let error = HTTPPartialError(
      done: ["4711"], failed: ["4712"], unsent: ["4713"], underlying: HTTPError(.timedOut))
    #expect((error as any Error).localizedDescription == "Only some of your changes were saved.")
    #expect(
      error.recoverySuggestion
        == "Read the models in `failed` to see which the server has, and write the rest and those in "
        + "`unsent` again.")
  }

  @Test func `where the description has the fix of one case, the suggestion has that of all`() {
    let fixes: [(HTTPError.Code, String)] = [
      (.misconfigured, "Change one of the fields that the description names."),
      (.unaddressable, "Correct the base URL, the route or the model's id."),
      (.incompleteList, "Describe in format.next and format.filters how the service pages lists."),
    ]
    for (code, fix) in fixes { #expect(HTTPError(code).recoverySuggestion == fix) }
    #expect(
      "\(HTTPError(.misconfigured))"
        == "The HTTP configuration contradicts itself: two of its parts do not fit together.")
  }
}
