import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What is written and removed many rows at a time, against what memory makes of the same calls.
@Suite(.patient) struct BatchTests {
  private struct Note: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var text: String
    var tags: [String]?

    init(_ id: Int, _ text: String = "") {
      self.id = id
      self.text = text
      tags = id.isMultiple(of: 3) ? ["\(id)"] : nil
    }
  }

  /// A model whose id is not what its key is coded as.
  private struct Odd: Codable, Identifiable, Equatable, Sendable {
    enum CodingKeys: String, CodingKey { case stored = "id" }

    var stored: Int
    var id: Int { -stored }
  }

  private let sqlite: SQLiteRepository<Note>
  private let memory = InMemoryRepository<Note>()

  init() throws {
    sqlite = try SQLiteRepository(.inMemory())
  }

  @Test(arguments: [1, 49, 50, 51, 250, 251, 1_033])
  func `Any number is stored, changed, read and removed`(count: Int) async throws {
    let notes = (0..<count).map { Note($0, "\($0)") }
    #expect(try await sqlite.store(notes).value == notes)
    #expect(try await sqlite.find(Criteria()).value == notes)
    let changed = notes.map { Note($0.id, "changed") }
    #expect(try await sqlite.storeOrUpdate(changed).value == changed)
    #expect(try await sqlite.find(Criteria()).value == changed)
    #expect(try await sqlite.remove(notes).value == changed)
    #expect(try await sqlite.find(Criteria()).value == [])
  }

  @Test func `All ids that are there already are named, and nothing is stored`() async throws {
    try await sqlite.store([Note(60), Note(333), Note(1_000)])
    await #expect(throws: EvocationError.alreadyExists(["60", "333", "1000", "5"])) {
      try await sqlite.store((0...1_000).map { Note($0) } + [Note(5)])
    }
    #expect(try await sqlite.find(Criteria()).value.count == 3)
  }

  @Test func `Ids in any order, twice, and not there, do as in memory`() async throws {
    var generator = Trials.random("batches")
    for round in 0..<60 {
      let count = Int.random(in: 1...700, using: &generator)
      var notes = (0..<count).map { _ in
        Note(Int.random(in: -400...400, using: &generator), "\(round)")
      }
      if Bool.random(using: &generator) {
        notes.sort { $0.id < $1.id }
        if Bool.random(using: &generator) {
          notes = Array(Set(notes.map(\.id))).sorted().map { Note($0) }
        }
      }
      let (ours, theirs): ([Note], [Note])
      if round.isMultiple(of: 2) {
        ours = try await sqlite.storeOrUpdate(notes).value
        theirs = try await memory.storeOrUpdate(notes).value
      } else {
        ours = try await sqlite.remove(notes).value
        theirs = try await memory.remove(notes).value
      }
      #expect(ours == theirs, "round \(round)")
      let (held, wanted) = (
        try await sqlite.find(Criteria()).value, try await memory.find(Criteria()).value
      )
      #expect(held == wanted, "round \(round)")
    }
  }

  @Test(arguments: [Int.min, -3, 0, Int.max - 700])
  func `Ids without a gap are removed where rows are, and those beside them stay`(
    first: Int
  ) async throws {
    let notes = (0...700).map { Note(first + $0, "\($0)") }
    let there = notes.filter { !$0.text.hasSuffix("7") && $0.text != "250" }
    try await sqlite.store(there)
    let asked = Array(notes[10...610])
    let removed = try await sqlite.remove(asked).value
    #expect(removed == there.filter { asked.contains($0) })
    #expect(try await sqlite.find(Criteria()).value == there.filter { !asked.contains($0) })
    #expect(try await sqlite.remove(asked).value == [])
  }

  @Test func `The rows of models that are coded with another id are those removed`() async throws {
    let odd = try SQLiteRepository<Odd>(.inMemory())
    try await odd.store((-5...5).map { Odd(stored: $0) })
    let removed = try await odd.remove([Odd(stored: 3), Odd(stored: 2)]).value
    #expect(removed == [Odd(stored: 3), Odd(stored: 2)])
    #expect(try await odd.find(Criteria()).value.count == 9)
  }
}
