import Evocation
import EvocationSQLite
import Foundation
import Testing

/// What the page on models says of their ids.
@Suite struct ModelsPageTests {
  struct Draft: Codable, Identifiable, Equatable, Sendable {
    var id: Int?
    var text: String
  }

  @Test func `an optional id is refused by a table, and in memory nil is one id`() async throws {
    let message =
      "Evocation cannot map the property \"id\" of Draft, because a value that may be absent "
      + "cannot be the table's key."
    let error = #expect(throws: (any Error).self) {
      try SQLiteRepository<Draft>(SQLiteDatabase.inMemory())
    }
    #expect(error.map { "\($0)" } == message)
    let drafts = InMemoryRepository<Draft>()
    let first = Draft(id: nil, text: "a")
    #expect(try await drafts.store([first]).value == [first])
    await #expect(throws: EvocationError.self) {
      try await drafts.store([Draft(id: nil, text: "b")])
    }
    #expect(try await drafts.update([Draft(id: nil, text: "c")]).value.count == 1)
    _ = try await drafts.store([Draft(id: 1, text: "d")])
    #expect(try await drafts.find(Criteria()).value.map(\.text) == ["c", "d"])
  }

  @Test func `a feed of several shapes is a model with an example of each`() async throws {
    let items: [FeedItem] = [
      .post(Post(id: "1", title: "a")), .photo(Photo(id: "2", url: "http://localhost/2")),
    ]
    let local = try SQLiteRepository<FeedItem>(SQLiteDatabase.inMemory())
    for store in [InMemoryRepository<FeedItem>(), local] as [any Repository<FeedItem>] {
      _ = try await store.store(items)
      #expect(try await store.find(Criteria().sorted(by: "id")).value == items)
      #expect(try await store.find(["title": "a"]).value == [items[0]])
    }
  }

  struct Note: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var title: String
    var body: String?
    var isPinned: Bool?
  }

  /// A remote repository that returns summaries, and says so.
  private struct Summaries: Repository {
    let summaries: [Note]

    func find(_ criteria: Criteria) async throws -> Response<[Note]> {
      Response(summaries, absentKeys: summaries.map { _ in ["body"] })
    }
    func store(_ models: [Note]) async throws -> Response<[Note]> { Response(models) }
    func update(_ models: [Note]) async throws -> Response<[Note]> { Response(models) }
    func storeOrUpdate(_ models: [Note]) async throws -> Response<[Note]> { Response(models) }
    func remove(_ models: [Note]) async throws -> Response<[Note]> { Response(models) }
  }

  @Test func `what an answer leaves out, and what is of the device alone, stays`() async throws {
    let evocation = Evocation()
    let notes = Summaries(summaries: [Note(id: 1, title: "new")])
    let store = InMemoryRepository<Note>()
    try evocation.register(Note.self, remote: notes, local: store, strategy: .offlineFirst)
      .localKeys(\.isPinned)
    _ = try await store.store([Note(id: 1, title: "old", body: "text", isPinned: true)])
    let whole = Note(id: 1, title: "new", body: "text", isPinned: true)
    #expect(await evocation.prefetch(Note.self).error == nil)
    #expect(try await store.find(Criteria()).value == [whole])
    #expect(try await evocation.find(Note.self) == [whole])
  }
}

private struct Post: Codable, Equatable {
  var id: String
  var title: String
}

private struct Photo: Codable, Equatable {
  var id: String
  var url: String
}

private enum FeedItem: Codable, Identifiable, Equatable {
  case post(Post)
  case photo(Photo)

  private enum Keys: CodingKey { case kind }

  var id: String {
    switch self {
    case .post(let post): post.id
    case .photo(let photo): photo.id
    }
  }

  init(from decoder: any Decoder) throws {
    let kind = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .kind)
    self = kind == "photo" ? .photo(try Photo(from: decoder)) : .post(try Post(from: decoder))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    switch self {
    case .post(let post):
      try container.encode("post", forKey: .kind)
      try post.encode(to: encoder)
    case .photo(let photo):
      try container.encode("photo", forKey: .kind)
      try photo.encode(to: encoder)
    }
  }
}

extension FeedItem: CodableExample {
  static var example: FeedItem { .post(Post(id: "1", title: "")) }
  static var examples: [FeedItem] { [example, .photo(Photo(id: "1", url: "http://localhost/"))] }
}
