import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

/// Names of a service that have dots, and places with dots between names.
@Suite(.patient) struct JSONPlaceTests {
  @Test(
    arguments: [
      ("a", "1"), ("a.b", "2"), ("c.d", "3"), ("c.d.e", nil), ("m.n.o", "4"), ("m.n.p.q", "5"),
      ("@x.next", "6"), ("meta.@x.next", "7"), (".dot", "8"), ("list.1", "10"), ("list.2", nil),
      ("o.o.o", "11"), ("c..d", "3"), ("c.d.", "3"), ("", nil), ("z", nil), ("z.z", nil),
    ] as [(String, String?)])
  func `A place is looked for as it stands, and then by its parts`(
    place: String, text: String?
  ) throws {
    let json = #"""
      {"a": "1", "a.b": "2", "c": {"d": "3"}, "m.n": {"o": "4", "p.q": "5"}, "@x.next": "6",
       "meta": {"@x.next": "7"}, ".dot": "8", "list": ["9", "10"], "o.o": {}, "o": {"o": {"o": "11"}}}
      """#
    let value = JSONPlace.value(
      try JSONSerialization.jsonObject(with: Data(json.utf8)), at: place)
    #expect(value as? String == text)
  }

  @Test func `A list goes on at a key with a dot, and no page is taken for the whole`()
    async throws
  {
    let service = Scripted { request in
      let isLast = request.item("skip") != nil
      let next = isLast ? "" : #""@odata.nextLink": "https://example.com/things?skip=1","#
      return (
        200, [:],
        #"{"@odata.count": 2, "@odata.deltaLink": "d1", \#(next) "value": [{"id": \#(isLast ? 2 : 1)}]}"#
      )
    }
    let things = try service.things {
      $0.envelope = .key("value")
      $0.next = .key("@odata.nextLink")
      $0.total = .key("@odata.count")
      $0.metadata = ["delta": "@odata.deltaLink"]
    }
    let found = try await things.find(Criteria())
    #expect(found.value.map(\.id) == [1, 2])
    #expect(found.metadata["totalCount"] as? Int == 2)
    #expect(found.metadata["delta"] as? String == "d1")
    #expect(try await things.count(Criteria()) == 2)
  }

  @Test func `An envelope has a dot in its name, or is below an object that has one`()
    async throws
  {
    for (body, place) in [
      (#"{"@odata.value": [{"id": 1}]}"#, "@odata.value"),
      (#"{"v1.result": {"items": [{"id": 1}]}}"#, "v1.result.items"),
      (#"{"result": {"v1.items": [{"id": 1}]}}"#, "result.v1.items"),
      (#"{"result": {"v1": {"items": [{"id": 1}]}}}"#, "result.v1.items"),
    ] {
      let service = Scripted { _ in (200, [:], body) }
      let things = try service.things { $0.envelope = .key(place) }
      #expect(try await things.find(Criteria()).value.map(\.id) == [1])
    }
    let empty = try Scripted { _ in (200, [:], "{}") }.things { $0.envelope = .key("data.items") }
    let error = await failure { try await empty.find(Criteria()) } as? HTTPError
    #expect(error?.code == .undecodable)
    #expect(error?.reason?.contains("\"data") == true)
  }

  @Test func `A version has a dot in its name, and is sent back`() async throws {
    struct Plain: Codable, Identifiable, Sendable { var id: Int }
    struct Tagged: Codable, Identifiable, Sendable {
      var id: Int
      var tag: String?
      enum CodingKeys: String, CodingKey {
        case id
        case tag = "@odata.etag"
      }
    }
    let service = Scripted { _ in (200, [:], #"{"id": 1, "@odata.etag": "7"}"#) }
    var setup = Setup(.rest)
    setup.transport = service
    setup.version = .property("@odata.etag")
    let url = try #require(URL(string: "https://example.com"))
    let plain = HTTPRepository<Plain>(at: url, "things", setup)
    #expect(try await plain.findOne(["id": 1]).versions == ["7"])
    _ = try await plain.updateOne(Plain(id: 1))
    #expect(service.asked.elements.last?.headers["If-Match"] == #""7""#)
    let tagged = HTTPRepository<Tagged>(at: url, "things", setup)
    _ = try await tagged.updateOne(Tagged(id: 1, tag: "6"))
    #expect(service.asked.elements.last?.headers["If-Match"] == #""6""#)
  }

  @Test func `A change list, a refusal and an event have dots in their names`() async throws {
    let service = Scripted { request in
      request.method == "GET"
        ? (
          200, [:],
          #"{"@x.mark": "m2", "value": [{"id": 1}, {"id": 2, "@x.removed": true}]}"#
        ) : (400, [:], #"{"@x.error": "No.", "@x.fields": {"name": "Bad."}}"#)
    }
    let things = try service.things {
      $0.envelope = .keys(list: "value", model: nil)
      $0.next = .never
      $0.changes = .init(since: "since", mark: .key("@x.mark"), removed: "@x.removed")
      $0.refusals.message = ["@x.error"]
      $0.refusals.fields = ["@x.fields"]
      $0.refusals.rules = [.init(400, key: "@x.error", contains: "no", means: .conflict)]
    }
    let changes = try #require(try await things.changes(Criteria(), since: "m1").value)
    #expect(changes.models.map(\.id) == [1])
    #expect(changes.removed == [.integer(2)])
    #expect(changes.mark == "m2")
    let error = await failure { try await things.updateOne(Thing(id: 1)) } as? HTTPError
    #expect(error?.message == "No." && error?.fields == ["name": ["Bad."]])
    #expect(error?.code == .conflict)
    var table = HTTPFormat.Live.Table(action: .key("x.op"), model: "x.row", id: "x.row.id")
    table.topic = .key("x.table")
    let event = ServerSentEvent(
      name: "message", data: Data(#"{"x.op": "removed", "x.table": "t", "x.row": {"id": 7}}"#.utf8))
    #expect(table.message(of: event) == .init(topic: "t", [.removed("7")]))
  }

  @Test func `A coding key with a dot is one name in a query`() async throws {
    struct Owner: Codable, Sendable { var name: String }
    struct Dotted: Codable, Identifiable, Sendable {
      var id: Int
      var rank: Int?
      var owner: Owner?
      enum CodingKeys: String, CodingKey {
        case id
        case rank = "x.rank"
        case owner
      }
    }
    let service = Scripted { _ in (200, [:], "[]") }
    var setup = Setup(.rest)
    setup.transport = service
    setup.filters.separator = "/"
    setup.next = .never
    let url = try #require(URL(string: "https://example.com"))
    let things = HTTPRepository<Dotted>(at: url, "things", setup)
    _ = try await things.find(
      Criteria.Key("x.rank") == 1 && Criteria.Key("owner.name") == "Ann")
    setup.filters.separator = "."
    let dotted = HTTPRepository<Dotted>(at: url, "things", setup)
    _ = try await dotted.find(Criteria().sorted(by: "x.rank"))
    #expect(
      service.lines == [
        "GET /things?x.rank=1&owner%2Fname=Ann", "GET /things?sort=x.rank",
      ])
  }
}
