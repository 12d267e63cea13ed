import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import Testing

@testable import TransportSuite

/// What contradicts itself in a configuration, one sentence each.
@Suite struct HTTPContradictionTests {
  private static let contradictions: [(@Sendable (inout Setup) -> Void, String)] = [
    (
      { $0.routes.find.method = "GET IT" },
      "a route's method is \"GET IT\", which is not a method; use one such as PATCH"
    ),
    (
      { $0.routes.storeOne.headers = ["a b": "c"] },
      "a header field is called \"a b\", which is not a valid name; rename it"
    ),
    (
      { $0.headers = ["": "c"] },
      "a header field is called \"\", which is not a valid name; rename it"
    ),
    (
      { $0.idempotency = .sent("Idem\r\nX: 1") },
      "a header field is called \"IdemX: 1\", which is not a valid name; rename it"
    ),
    (
      { $0.routes.updateOne.path = "{path}" },
      "the route updateOne has no {id}, so it does not name the model; add {id} to it"
    ),
    (
      { $0.routes.storeOrUpdateOne?.path = "{path}" },
      "the route storeOrUpdateOne has no {id}, so it does not name the model; add {id} to it"
    ),
    (
      { $0.routes.removeOne = .init("POST", "{path}") },
      "the route removeOne has no {id}, so it does not name the model; add {id} to it"
    ),
    (
      { $0.routes.remove?.path = "{path}/{id}" },
      "the route remove is for several models and has {id}, which names one model; remove {id}"
    ),
    (
      {
        $0.identifiers = .service
        $0.routes.storeOne = .init("PUT", "{path}/{id}")
      }, "the service creates the ids of new models, and the route storeOne has {id}; remove {id}"
    ),
    ({ $0.parameters = ["id"] }, "the identifierKey is one of the parameters; remove it there"),
    (
      { $0.next = .offset },
      "lists continue by offset, and filters.largestPage is nil; set it to the length of a page"
    ),
    (
      {
        $0.next = .offset
        $0.filters = .prefixes
        $0.filters.largestPage = 10
      }, "lists continue by offset, and filters.paging has no offset; use paging that has one"
    ),
    (
      { $0.filters.largestPage = 0 },
      "filters.largestPage is 0, so no model fits into an answer; raise it"
    ),
    ({ $0.maximumResponseSize = -1 }, "the maximumResponseSize is negative; raise it"),
    ({ $0.maximumPages = 0 }, "maximumPages is 0, so Evocation cannot read any list; raise it"),
    ({ $0.limits.requestsAtOnce = 0 }, "limits.requestsAtOnce is below 1; raise it"),
    (
      { $0.batch = .init("batch", size: 0) },
      "batch.size is below 1, so a batch holds no request; raise it"
    ),
    (
      { $0.readOnlyKeys = ["id"] },
      "the identifierKey is read-only, and your app creates the ids; remove it from readOnlyKeys"
    ),
    (
      { $0.limits.rate = .init(requests: 0, per: .seconds(1)) },
      "limits.rate allows no request; raise it"
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
      "the base URL holds a user name or a password; pass them in the authorization closure"
    ),
    (
      "https://user@example.org",
      "the base URL holds a user name or a password; pass them in the authorization closure"
    ),
    ("file:///cars", "the base URL has no host; write it as in https://example.com/api"),
    (
      "https://example.org/#a",
      "the base URL has a fragment, which Evocation never sends; remove it"
    ),
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
