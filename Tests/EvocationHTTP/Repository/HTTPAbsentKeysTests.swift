import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A model that counts from zero, if it is not said.
private struct Counter: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name = ""
  var count = 0
  var note: String?

  init(id: Int, name: String, count: Int = 0, note: String? = nil) {
    (self.id, self.name, self.count, self.note) = (id, name, count, note)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    name = try container.decode(String.self, forKey: .name)
    count = try container.decodeIfPresent(Int.self, forKey: .count) ?? 0
    note = try container.decodeIfPresent(String.self, forKey: .note)
  }
}

/// An item of a feed, which has other keys in each case.
private enum Item: Codable, Identifiable, Hashable, Sendable, CodableExample {
  case post(id: Int, title: String, body: String?)
  case photo(id: Int, url: String)

  static var example: Item { .post(id: 1, title: "", body: "") }
  static var examples: [Item] { [example, .photo(id: 1, url: "")] }

  enum CodingKeys: CodingKey { case id, kind, title, body, url }

  var id: Int {
    switch self {
    case .post(let id, _, _), .photo(let id, _): id
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.decode(Int.self, forKey: .id)
    self =
      switch try container.decode(String.self, forKey: .kind) {
      case "photo": .photo(id: id, url: try container.decode(String.self, forKey: .url))
      default:
        .post(
          id: id, title: try container.decode(String.self, forKey: .title),
          body: try container.decodeIfPresent(String.self, forKey: .body))
      }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    switch self {
    case .post(_, let title, let body):
      try container.encode("post", forKey: .kind)
      try container.encode(title, forKey: .title)
      try container.encodeIfPresent(body, forKey: .body)
    case .photo(_, let url):
      try container.encode("photo", forKey: .kind)
      try container.encode(url, forKey: .url)
    }
  }
}

/// What a repository says of keys that an answer left out, and what it sends of them.
@Suite(.patient) struct HTTPAbsentKeysTests {
  private func counters(
    _ service: Scripted, _ change: (inout Setup) -> Void = { _ in }
  ) throws -> HTTPRepository<Counter> {
    var setup = Setup(.rest)
    setup.transport = service
    change(&setup)
    return HTTPRepository(at: try #require(URL(string: "https://example.com")), "counters", setup)
  }

  private func body(_ request: HTTPTransportRequest?) -> String? {
    request?.body.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `An answer names the keys that each of its models lacks`() async throws {
    let service = Scripted { request in
      let one = #"{"id": 1, "name": "a", "note": null}"#
      return (
        200, [:],
        request.url.lastPathComponent == "1"
          ? one : "[\(one), {\"id\":2,\"name\":\"b\",\"count\":3}]"
      )
    }
    let counters = try counters(service)
    #expect(try await counters.find(Criteria()).absentKeys == [["count"], ["note"]])
    #expect(try await counters.findOne(["id": 1]).absentKeys == [["count"]])
    let omitting = try self.counters(service) { $0.format.omitsNulls = true }
    #expect(try await omitting.find(Criteria()).absentKeys.isEmpty, "there null is left out")
  }

  @Test(arguments: [true, false])
  func `A value that nobody read is not sent, neither nil nor a default`(
    sendsChanges: Bool
  ) async throws {
    let service = Scripted { request in
      (200, [:], request.method == "GET" ? #"[{"id": 1, "name": "a"}]"# : "")
    }
    let counters = try counters(service) { $0.format.routes.updateOne.sendsChanges = sendsChanges }
    var counter = try #require(try await counters.find(Criteria()).value.first)
    counter.name = "b"
    _ = try await counters.updateOne(counter)
    let rest = sendsChanges ? "" : #""id":1,"#
    #expect(body(service.asked.elements.last) == "{\(rest)\"name\":\"b\"}")
    counter.count = 2
    counter.note = "x"
    _ = try await counters.updateOne(counter)
    #expect(body(service.asked.elements.last)?.contains(#""count":2"#) == true)
    counter.note = nil
    _ = try await counters.updateOne(counter)
    #expect(body(service.asked.elements.last)?.contains(#""note":null"#) == true, "it is known now")
  }

  @Test func `A value that an unanswered write may have given is taken back with null`()
    async throws
  {
    let isOff = Record<Bool>()
    let service = Scripted { request in
      if request.method == "PATCH", isOff.elements.isEmpty {
        isOff.append(true)
        throw URLError(.timedOut)
      }
      return (200, [:], request.method == "GET" ? #"[{"id": 1, "name": "a"}]"# : "")
    }
    let counters = try counters(service)
    let counter = try #require(try await counters.find(Criteria()).value.first)
    var noted = counter
    noted.note = "x"
    let unanswered = noted
    await #expect(throws: (any Error).self) { _ = try await counters.updateOne(unanswered) }
    _ = try await counters.updateOne(counter)
    #expect(body(service.asked.elements.last)?.contains(#""note":null"#) == true)
  }

  @Test(arguments: [HTTPFormat.rest, .jsonAPI], [true, false])
  func `A union that becomes another case takes back what only the former one has`(
    format: HTTPFormat, sendsChanges: Bool
  ) async throws {
    let isEnveloped = format.attributes != nil
    let service = Scripted { request in
      if request.method != "GET" { return (204, [:], "") }
      let keys = #""kind": "post", "title": "a", "body": null"#
      return (
        200, [:],
        isEnveloped
          ? #"{"data": [{"type": "items", "id": 1, "attributes": {\#(keys)}}]}"#
          : #"[{"id": 1, \#(keys)}]"#
      )
    }
    var setup = Setup(format)
    setup.transport = service
    setup.format.routes.updateOne.sendsChanges = sendsChanges
    let items = HTTPRepository<Item>(
      at: try #require(URL(string: "https://example.com")), "items", setup)
    #expect(try await items.find(Criteria()).value == [.post(id: 1, title: "a", body: nil)])
    try await WriteBase.$former.withValue(Item.post(id: 1, title: "a", body: nil)) {
      _ = try await items.updateOne(.photo(id: 1, url: "b"))
    }
    let sent = try #require(body(service.asked.elements.last))
    #expect(sent.contains(#""title":null"#), "\(sent)")
    #expect(sent.contains(#""url":"b""#) && sent.contains(#""kind":"photo""#), "\(sent)")
    #expect(!sent.contains("body"), "nobody has read a value: \(sent)")
    try await WriteBase.$former.withValue(Item.photo(id: 1, url: "b")) {
      _ = try await items.updateOne(.photo(id: 1, url: "c"))
    }
    #expect(try !#require(body(service.asked.elements.last)).contains("title"), "it is gone")
  }
}
