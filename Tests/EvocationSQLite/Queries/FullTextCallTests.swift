import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

private struct Entry: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var text: String
}

private struct Refusal: Error {}

/// Calls with words, whose answer says nothing about what another repository finds.
@Suite(.patient) struct FullTextCallTests {
  private static let words = Criteria.matching("fox")

  private let entries: SQLiteRepository<Entry>

  init() async throws {
    entries = try SQLiteRepository(.inMemory(), indexes: [.fullText(\Entry.text)])
    try await entries.store([Entry(id: 1, text: "fox"), Entry(id: 2, text: "a fox")])
  }

  /// An instance whose server finds one model by words, and refuses every write.
  private func start(_ strategy: Strategy) throws -> Evocation {
    let remote = RepositoryMock<Entry> { call in
      guard case .find = call else { throw Refusal() }
      return [Entry(id: 1, text: "fox, as the server has it")]
    }
    let evocation = Evocation()
    try evocation.register(Entry.self, remote: remote, local: entries, strategy: strategy)
    return evocation
  }

  @Test func `A model that the server does not find by its words stays`() async throws {
    let evocation = try start(.remoteFirst)
    let found = await evocation.find(model: Entry.self, criteria: Self.words)
    #expect(found.data?.map(\.id) == [1])
    #expect(try await entries.find(Criteria()).value.map(\.id) == [1, 2])
    #expect(try await entries.findOne(["id": 1]).value?.text == "fox, as the server has it")
  }

  @Test func `The server is asked each time, and a cache of words shows what it found`()
    async throws
  {
    let evocation = try start(.cacheFirst(maxAge: .seconds(3_600)))
    for _ in 0..<2 {
      let found = await evocation.find(model: Entry.self, criteria: Self.words)
      #expect(found.origin == .remote)
    }
    let cache = evocation.cache(Entry.self, where: Self.words, maxAge: .seconds(60))
    #expect(try await cache.value().map(\.id) == [1])
    try await cache.clear()
    #expect(try await entries.find(Criteria()).value.count == 2)
  }

  @Test func `Unsent writes are found by their words too, and are not counted among the server's`()
    async throws
  {
    let evocation = try start(.offlineFirst)
    for entry in [Entry(id: 3, text: "The quick fox"), Entry(id: 4, text: "dog")] {
      _ = await evocation.storeOrUpdate([entry])
    }
    let rule = Strategy.Rule(target: .remote)
    let found = await evocation.find(model: Entry.self, criteria: Self.words, rule: rule)
    #expect(found.data.map { Set($0.map(\.id)) } == [1, 3])
    let count = await evocation.count(model: Entry.self, criteria: Self.words, rule: rule)
    #expect(
      count.error.map { "\($0)" }
        == "Evocation cannot search Entry for words, because unsent writes "
        + "cannot be counted among what the server found; find the models instead.")
  }
}
