import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A read may have a body, and each route its own.
@Suite(.patient) struct HTTPBodyTests {
  private static func body(_ request: HTTPTransportRequest) -> String {
    String(decoding: request.body ?? Data(), as: UTF8.self)
  }

  @Test func `A search by POST has its query in the body, on each page`() async throws {
    let service = Scripted { request in
      let isFirst = !Self.body(request).contains("token")
      return (
        200, [:],
        isFirst
          ? #"{"hits": [{"id": 1, "name": "a"}], "cursor": "t2"}"#
          : #"{"hits": [{"id": 2, "name": "a"}], "cursor": null}"#
      )
    }
    let things = try service.things {
      $0.routes.find = .init("POST", "{path}/search", body: .query)
      $0.envelope = .keys(list: "hits", model: nil)
      $0.next = .token("cursor", item: "token")
    }
    #expect(try await things.find(["name": "a"]).value.map(\.id) == [1, 2])
    #expect(service.lines == ["POST /things/search", "POST /things/search"])
    #expect(
      service.asked.elements.map(Self.body) == [#"{"name":"a"}"#, #"{"name":"a","token":"t2"}"#])
    #expect(service.asked.elements.allSatisfy { $0.headers["Content-Type"] == "application/json" })
    #expect(service.asked.elements.allSatisfy { $0.isRepeatable })
    _ = try await things.find(Criteria().limit(1).offset(2))
    let last = try #require(service.asked.elements.last)
    #expect(Self.body(last) == #"{"limit":1,"offset":2}"#)
  }

  @Test func `A failed search is a failed read`() async throws {
    let things = try Scripted { _ in throw URLError(.networkConnectionLost) }.things {
      $0.routes.find = .init("POST", "{path}/search", body: .query)
    }
    let error = await failure { try await things.find(Criteria()) } as? HTTPError
    #expect(error?.code == .connectionLost && error?.failureScope == .service)
    #expect(error?.description.contains("may have") == false)
  }

  @Test func `A closure makes the body from the criteria`() async throws {
    let service = Scripted { _ in (200, [:], "[]") }
    let things = try service.things {
      $0.routes.find = .init(
        "POST", "{path}/search",
        body: HTTPBody { call in
          let limit = call.criteria?.limit ?? 100
          return try JSONSerialization.data(withJSONObject: ["size": limit])
        })
    }
    _ = try await things.find(Criteria().limit(3))
    #expect(service.asked.elements.map(Self.body) == [#"{"size":3}"#])
  }

  private static let graphQL: HTTPFormat = {
    var format = HTTPFormat.graphQL(
      find:
        "query($limit: Int, $offset: Int) { list: things(limit: $limit, offset: $offset) { id name } }",
      findOne: "query($id: ID!) { model: thing(id: $id) { id name } }",
      store: "mutation($model: NewThing!) { model: add(thing: $model) { id name } }",
      update:
        "mutation($id: ID!, $model: Change!) { model: change(id: $id, thing: $model) { id name } }",
      remove: "mutation($id: ID!) { model: remove(id: $id) { id } }")
    format.filters.largestPage = 2
    format.next = .offset
    return format
  }()

  @Test func `GraphQL is a query for each route, with the variables that it names`() async throws {
    let service = Scripted { request in
      let body = Self.body(request)
      if body.contains("\"offset\":") { return (200, [:], #"{"data": {"list": []}}"#) }
      if body.contains("query($limit") {
        return (200, [:], #"{"data": {"list": [{"id": 1, "name": "a"}]}}"#)
      }
      if body.contains("remove") { return (200, [:], #"{"data": {"model": null}}"#) }
      return (200, [:], #"{"data": {"model": {"id": 1, "name": "b"}}}"#)
    }
    let things = try service.things("graphql") { $0.format = Self.graphQL }
    #expect(things.configurationError == nil)
    #expect(try await things.find(Criteria()).value.map(\.id) == [1])
    #expect(try await things.findOne(["id": 1]).value?.name == "b")
    #expect(try await things.storeOne(Thing(id: 1, name: "b")).value?.id == 1)
    #expect(try await things.updateOne(Thing(id: 1, name: "c")).value?.name == "b")
    #expect(try await things.removeOne(Thing(id: 1)).value == nil)
    let variables = service.asked.elements.map { request in
      String(Self.body(request).split(separator: "\"variables\":")[1].dropLast())
    }
    #expect(
      variables == [
        #"{"limit":2}"#, #"{"limit":2,"offset":1}"#, #"{"id":1}"#,
        #"{"model":{"id":1,"name":"b"}}"#,
        #"{"id":1,"model":{"name":"c"}}"#, #"{"id":1}"#,
      ])
    #expect(Set(service.lines) == ["POST /graphql"])
  }

  @Test func `A refusal of GraphQL comes with 200, and what the query cannot take is refused here`()
    async throws
  {
    let things = try Scripted { _ in
      (200, [:], #"{"data": {"model": null}, "errors": [{"message": "too old"}]}"#)
    }.things("graphql") { $0.format = Self.graphQL }
    let error = await failure { try await things.updateOne(Thing(id: 1, name: "c")) } as? HTTPError
    #expect(error?.code == .client && error?.message == "too old")
    let ordered = await failure { try await things.find(["name": "a"]) } as? HTTPError
    #expect(ordered?.code == .unsupportedCriteria)
  }

  @Test func `Pages are as many as the answer says`() async throws {
    let service = Scripted { request in
      let page = request.number("page") ?? 1
      return (200, [:], #"{"page": \#(page), "total_pages": 3, "items": [{"id": \#(page)}]}"#)
    }
    let things = try service.things {
      $0.envelope = .keys(list: "items", model: nil)
      $0.filters.paging = .page(number: "page", size: "per_page")
      $0.filters.largestPage = 1
      $0.next = .pages("total_pages")
    }
    #expect(try await things.find(Criteria()).value.map(\.id) == [1, 2, 3])
    let silent = try Scripted { _ in (200, [:], #"{"items": [{"id": 1}]}"#) }.things {
      $0.envelope = .keys(list: "items", model: nil)
      $0.filters.paging = .page(number: "page", size: nil)
      $0.filters.largestPage = 1
      $0.next = .pages("total_pages")
    }
    let error = await failure { try await silent.find(Criteria()) } as? HTTPError
    #expect(error?.code == .incompleteList)
    #expect(error?.description.contains("has no \"total_pages\"") == true)
  }
}
