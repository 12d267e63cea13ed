import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import Testing

@testable import TransportSuite

/// What contradicts itself in a configuration, one sentence each.
@Suite struct HTTPContradictionTests {
  private static let contradictions: [(@Sendable (inout Setup) -> Void, String)] = [
    ({ $0.routes.find.method = "GET IT" }, "a route's method is \"GET IT\", which is no method"),
    (
      { $0.routes.storeOne.headers = ["a b": "c"] },
      "a header field is called \"a b\", which is no name of a field"
    ),
    ({ $0.headers = ["": "c"] }, "a header field is called \"\", which is no name of a field"),
    (
      { $0.idempotency = .sent("Idem\r\nX: 1") },
      "a header field is called \"IdemX: 1\", which is no name of a field"
    ),
    (
      { $0.routes.updateOne.path = "{path}" },
      "the route updateOne has no {id}, so that it does not say which model is meant"
    ),
    (
      { $0.routes.storeOrUpdateOne?.path = "{path}" },
      "the route storeOrUpdateOne has no {id}, so that it does not say which model is meant"
    ),
    (
      { $0.routes.removeOne = .init("POST", "{path}") },
      "the route removeOne has no {id}, so that it does not say which model is meant"
    ),
    (
      { $0.routes.remove?.path = "{path}/{id}" },
      "the route remove is for several models and has {id}, which is one model's"
    ),
    (
      {
        $0.identifiers = .service
        $0.routes.storeOne = .init("PUT", "{path}/{id}")
      }, "the service gives new models their ids, and the route storeOne has {id}"
    ),
    ({ $0.parameters = ["id"] }, "the identifierKey is among the parameters"),
    (
      { $0.next = .offset },
      "a list goes on by its offset, and filters.largestPage does not say how long a part is"
    ),
    (
      {
        $0.next = .offset
        $0.filters = .prefixes
        $0.filters.largestPage = 10
      }, "a list goes on by its offset, and filters.paging has none"
    ),
    (
      { $0.filters.largestPage = 0 },
      "filters.largestPage is 0, so that no model fits into an answer"
    ),
    ({ $0.maximumResponseSize = -1 }, "the maximumResponseSize is less than nothing"),
    ({ $0.maximumPages = 0 }, "maximumPages is 0, so that no list can be read"),
    ({ $0.limits.requestsAtOnce = 0 }, "limits.requestsAtOnce is less than one"),
    ({ $0.batch = .init("batch", size: 0) }, "the batch endpoint takes no request at once"),
    ({ $0.readOnlyKeys = ["id"] }, "the identifierKey is read-only, and the app gives the ids"),
    (
      { $0.limits.rate = .init(requests: 0, per: .seconds(1)) },
      "limits.rate lets no request through"
    ),
  ]

  @Test(arguments: contradictions.indices)
  func `A configuration that contradicts itself is named, and every call fails with it`(
    index: Int
  ) async throws {
    var configuration = Setup()
    let (change, reason) = Self.contradictions[index]
    change(&configuration)
    let base = try #require(URL(string: "http://127.0.0.1:1"))
    let cars = HTTPRepository<Car>(at: base, "cars", configuration)
    #expect(
      cars.configurationError?.description
        == "The HTTP configuration contradicts itself: \(reason).")
    let find = await failure { try await cars.find(Criteria()) } as? HTTPError
    #expect(find?.code == .misconfigured && find?.reason == reason)
    let store = await failure { try await cars.storeOne(car(1)) } as? HTTPError
    #expect(store?.code == .misconfigured && store?.reason == reason)
  }

  @Test(arguments: [
    (
      "https://user:secret@example.org",
      "the base URL holds a user's name or password; give them by the authorization closure"
    ),
    (
      "https://user@example.org",
      "the base URL holds a user's name or password; give them by the authorization closure"
    ),
    ("file:///cars", "the base URL has no host; write it as in https://example.com/api"),
    ("https://example.org/#a", "the base URL has a fragment, which is never sent"),
  ])
  func `A base URL that cannot be asked is named, without what it holds`(
    text: String, reason: String
  ) async throws {
    let cars = HTTPRepository<Car>(HTTPService(try #require(URL(string: text))), "cars")
    #expect(cars.configurationError?.description == "The request has no address: \(reason).")
    let error = await failure { try await cars.find(Criteria()) } as? HTTPError
    #expect(error?.code == .unaddressable)
    #expect("\(error.map(String.init(describing:)) ?? "")".contains("secret") == false)
  }

  @Test func `What does not contradict itself has no error`() throws {
    let base = try #require(URL(string: "https://example.org"))
    for configuration in [
      Setup(), Dialects.links(), Dialects.envelopes(),
      Dialects.records(), Dialects.rows(),
    ] {
      let cars = HTTPRepository<Car>(at: base, "cars", configuration)
      #expect(cars.configurationError == nil)
    }
  }
}
