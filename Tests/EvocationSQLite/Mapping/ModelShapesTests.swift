import Evocation
import EvocationHTTP
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

private enum MessageKind: String, Codable { case text, image }

/// A message whose kind, an enum, decides which keys it must have.
private struct Message: Codable, Identifiable, Sendable, Equatable {
  enum CodingKeys: CodingKey { case id, kind, text, url }

  var id: Int
  var kind: MessageKind
  var text: String?
  var url: String?

  init(id: Int, text: String? = nil, url: String? = nil) {
    (self.id, self.text, self.url, kind) = (id, text, url, url == nil ? .text : .image)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    kind = try container.decode(MessageKind.self, forKey: .kind)
    switch kind {
    case .text: text = try container.decode(String.self, forKey: .text)
    case .image: url = try container.decode(String.self, forKey: .url)
    }
  }
}

private struct Post: Codable, Sendable, Equatable { var id: String, title: String }
private struct Photo: Codable, Sendable, Equatable { var id: String, url: String, width: Int? }

/// A feed's item, one of two models.
private enum Item: CodableExample, Identifiable, Sendable, Equatable {
  case post(Post)
  case photo(Photo)

  enum CodingKeys: CodingKey { case type }

  var id: String {
    switch self {
    case .post(let post): post.id
    case .photo(let photo): photo.id
    }
  }

  init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type) {
    case "post": self = .post(try Post(from: decoder))
    case "photo": self = .photo(try Photo(from: decoder))
    case let type:
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: type))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .post(let post):
      try container.encode("post", forKey: .type)
      try post.encode(to: encoder)
    case .photo(let photo):
      try container.encode("photo", forKey: .type)
      try photo.encode(to: encoder)
    }
  }

  static var example: Item { .post(Post(id: "", title: "")) }
  static var examples: [Item] { [example, .photo(Photo(id: "", url: "", width: nil))] }
}

/// Ids under another key, and coded as another kind.
private struct Track: Codable, Identifiable, Sendable, Equatable {
  enum CodingKeys: String, CodingKey { case id = "trackId", name }
  var id: Int, name: String
}

private struct Numbered: Codable, Identifiable, Sendable, Equatable {
  var id: String, name: String
  enum CodingKeys: CodingKey { case id, name }

  init(id: String, name: String) { (self.id, self.name) = (id, name) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = String(try container.decode(Int.self, forKey: .id))
    name = try container.decode(String.self, forKey: .name)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Int(id) ?? 0, forKey: .id)
    try container.encode(name, forKey: .name)
  }
}

/// Numbers under keys that only the value tells.
private struct Gauge: Codable, Identifiable, Sendable {
  struct Part: Codable, Sendable { var readings: [String: Double] }

  var id: Int, readings: [String: Double], part: Part
}

@Suite(.patient) struct ModelShapesTests {
  @Test func `what is not finite in a dictionary is the text that JSON has for it, in both stores`()
    async throws
  {
    let values: [Double] = [-.infinity, -1, 0, 1.5, .infinity, .nan]
    let all = values.enumerated().map { id, value in
      Gauge(id: id, readings: ["a": value], part: .init(readings: ["a": value]))
    }
    let memory = InMemoryRepository(all)
    let sqlite = try SQLiteRepository<Gauge>(SQLiteDatabase.inMemory())
    try await sqlite.store(all)
    for name in ["readings.a", "part.readings.a"] {
      let key = Criteria.Key(name)
      #expect(try await memory.find(key == -Double.infinity).value.map(\.id) == [0])
      #expect(try await memory.find(key == "nan").value.map(\.id) == [5])
      var criteria: [Criteria] = [Criteria().sorted(by: key), !key.isNull]
      for value in values {
        criteria += [key == value, key != value, key < value, key >= value, key.in([value, 0])]
      }
      for criteria in criteria {
        let (found, expected) = try await (sqlite.find(criteria).value, memory.find(criteria).value)
        #expect(found.map(\.id) == expected.map(\.id), "\(criteria)")
      }
    }
  }

  /// Amounts under keys that only the value tells.
  private struct Purse: Codable, Identifiable, Sendable {
    var id: Int, amounts: [String: Decimal], counts: [String: UInt64]
  }

  @Test func `a whole number in a dictionary is compared without rounding, in both stores`()
    async throws
  {
    let numbers: [UInt64] = [3, 9_007_199_254_740_992, 9_007_199_254_740_993, .max]
    let all = numbers.enumerated().map {
      Purse(id: $0, amounts: ["a": Decimal($1)], counts: ["a": $1])
    }
    let memory = InMemoryRepository(all)
    let sqlite = try SQLiteRepository<Purse>(SQLiteDatabase.inMemory())
    try await sqlite.store(all)
    for key in [Criteria.Key("amounts.a"), "counts.a"] {
      #expect(try await memory.find(key == numbers[2]).value.map(\.id) == [2])
      for number in numbers {
        for criteria in [key == number, key <= number, key > number, key == Decimal(number)] {
          let (found, expected) = try await (
            sqlite.find(criteria).value, memory.find(criteria).value
          )
          #expect(found.map(\.id) == expected.map(\.id), "\(criteria)")
        }
      }
    }
  }

  @Test func `no shape of a model loses a property, in the file and at the server`() async throws {
    let messages = try SQLiteRepository<Message>(SQLiteDatabase.inMemory())
    let all = [Message(id: 1, text: "a"), Message(id: 2, url: "http://x/y.png")]
    try await messages.store(all)
    #expect(try await messages.find(Criteria()).value == all)
    #expect(try await messages.find(["url": "http://x/y.png"]).value == [all[1]])
    let remote = InMemoryRepository(all)
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    try evocation.register(
      Message.self, remote: remote, local: messages, strategy: .remoteFirst)
    var edited = try #require(await evocation.findOne(Message.self, id: 2))
    edited.url = "http://x/z.png"
    #expect(await evocation.updateOne(edited).error == nil)
    #expect(try await remote.find(Criteria()).value == [all[0], edited])
    #expect(try await messages.find(Criteria()).value == [all[0], edited])
  }

  @Test func `a union is a model with nothing but its examples`() async throws {
    let all = [
      Item.photo(Photo(id: "a", url: "u", width: 2)), .post(Post(id: "b", title: "t")),
      .photo(Photo(id: "c", url: "v", width: nil)),
    ]
    let memory = InMemoryRepository(all)
    let items = try SQLiteRepository<Item>(SQLiteDatabase.inMemory())
    try await items.store(all)
    for criteria in [
      Criteria(), ["title": "t"], ["type": "photo"], ["width": nil], ["width": 2],
      Criteria.Key("url") > "u", Criteria().sorted(by: "url", descending: true),
    ] {
      #expect(
        try await items.find(criteria).value == memory.find(criteria).value, "\(criteria)")
    }
    let changed = Item.post(Post(id: "a", title: "now a post"))
    try await items.mirror([all[1], changed], for: Criteria())
    #expect(try await items.find(Criteria()).value == [changed, all[1]])
  }

  @Test func `an id under another key needs no word, in tables, lists and by id`() async throws {
    let database = try SQLiteDatabase.inMemory()
    let tracks = try SQLiteRepository<Track>(database)
    let all = (1...5).map { Track(id: $0, name: "\($0)") }
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    try evocation.register(
      Track.self, remote: InMemoryRepository(all), local: tracks, strategy: .offlineFirst)
    let list = evocation.pagingCache(Track.self, pageSize: 2)
    guard case .successful = try await list.refresh(force: true) else {
      Issue.record("the list was not saved")
      return
    }
    _ = await list.goToNextPage()
    #expect(try await list.value(from: .cache) == Array(all.prefix(4)))
    #expect(try await evocation.findOne(Track.self, id: 3)?.name == "3")
    try await tracks.remove([all[1]])
    #expect(try await list.value(from: .cache).map(\.id) == [1, 3, 4])
    _ = try await database.write { try $0.execute("DELETE FROM track WHERE trackId = 3") }
    #expect(try await list.value(from: .cache).map(\.id) == [1, 4])
  }

  @Test func `an id that is coded as another kind is the coded value, everywhere`() async throws {
    let models = ["10", "9", "7"].map { Numbered(id: $0, name: $0) }
    let memory = InMemoryRepository(models)
    let file = try SQLiteRepository<Numbered>(SQLiteDatabase.inMemory())
    try await file.store(models)
    for criteria in [Criteria(), ["id": 7], Criteria.Key("id") > 8] {
      #expect(try await file.find(criteria).value == memory.find(criteria).value, "\(criteria)")
    }
    #expect(try await file.remove([models[0], models[0]]).value == [models[0]])
    for local in [memory as any Repository<Numbered>, file] {
      let evocation = Evocation(configuration: .init(clock: ManualClock()))
      evocation.register(for: Numbered.self).repository(local: local).strategy(.localOnly)
      #expect(try await evocation.findOne(Numbered.self, id: "7")?.name == "7")
      #expect(try await evocation.findOne(Numbered.self, id: "eight") == nil)
    }
  }
}
