import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// What a mirror leaves alone, because it is there already as it is to be.
@Suite(.patient) struct MirroringTests {
  private struct Note: Codable, Identifiable, Sendable {
    var id = 0
    var text: String?
    var number: Double?
    var count: UInt64?
    var amount: Decimal?
    var bytes: Data?
    var list: [String]?

    init(
      text: String? = nil, number: Double? = nil, count: UInt64? = nil, amount: Decimal? = nil,
      bytes: Data? = nil, list: [String]? = nil
    ) {
      (self.text, self.number, self.count) = (text, number, count)
      (self.amount, self.bytes, self.list) = (amount, bytes, list)
    }

    /// What is nil is left out, and not coded as null.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      if let text { try container.encode(text, forKey: .text) }
      if let number { try container.encode(number, forKey: .number) }
      if let count { try container.encode(count, forKey: .count) }
      if let amount { try container.encode(amount, forKey: .amount) }
      if let bytes { try container.encode(bytes, forKey: .bytes) }
      if let list { try container.encode(list, forKey: .list) }
    }
  }

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let notes: SQLiteRepository<Note>

  init() async throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    notes = try SQLiteRepository<Note>(database)
    try await database.write { db in
      try db.execute("CREATE TABLE written (id)")
      try db.execute(
        "CREATE TRIGGER written AFTER UPDATE ON note BEGIN INSERT INTO written VALUES (NEW.id); END"
      )
    }
  }

  /// The ids of the rows that were changed since the last time.
  private func written() async throws -> [Criteria.Scalar] {
    try await database.write { db in
      let rows = try db.rows("SELECT id FROM written ORDER BY id")
      try db.execute("DELETE FROM written")
      return rows.flatMap(\.values)
    }
  }

  private static let same: [(Note, Note)] = [
    (Note(), Note()), (Note(text: ""), Note(text: "")), (Note(text: "a\0b"), Note(text: "a\0b")),
    (Note(number: .nan), Note(number: -.nan)), (Note(number: 0), Note(number: -0.0)),
    (Note(number: 0.1 + 0.2), Note(number: 0.1 + 0.2)), (Note(count: .max), Note(count: .max)),
    (Note(amount: 1), Note(amount: 1)), (Note(bytes: Data()), Note(bytes: Data())),
    (Note(bytes: Data([0, 1])), Note(bytes: Data([0, 1]))), (Note(list: []), Note(list: [])),
    (Note(list: ["a"]), Note(list: ["a"])),
  ]

  private static let different: [(Note, Note)] = [
    (Note(text: "x"), Note()), (Note(), Note(text: "x")), (Note(), Note(text: "")),
    (Note(text: "a\0b"), Note(text: "a\0c")), (Note(text: "a"), Note(text: "a\0")),
    (Note(text: "é"), Note(text: "e\u{301}")), (Note(text: "a"), Note(text: "A")),
    (Note(number: .nan), Note()), (Note(), Note(number: .nan)), (Note(), Note(number: 0)),
    (Note(number: 0.3), Note(number: 0.1 + 0.2)), (Note(number: 1), Note(number: .nan)),
    (Note(number: .infinity), Note(number: -.infinity)), (Note(count: .max), Note(count: .max - 1)),
    (Note(count: 1), Note(count: .max)), (Note(amount: 1), Note(amount: Decimal(string: "1.1"))),
    (Note(amount: .nan), Note(amount: 0)), (Note(bytes: Data()), Note()),
    (Note(), Note(bytes: Data())), (Note(bytes: Data([0, 1])), Note(bytes: Data([0, 2]))),
    (Note(bytes: Data([0])), Note(bytes: Data([0, 0]))), (Note(list: []), Note(list: [""])),
    (Note(), Note(list: [])),
  ]

  @Test(arguments: [true, false])
  func `The rows are written that differ in a column, and no others`(
    isObserved: Bool
  ) async throws {
    var pairs = Self.same + Self.different
    for index in pairs.indices { (pairs[index].0.id, pairs[index].1.id) = (index, index) }
    try await notes.store(pairs.map(\.0))
    let recorder = Recorder<Note>()
    let observation = isObserved ? notes.observeChanges { recorder.record($0) } : nil
    try await notes.mirror(pairs.map(\.1), for: Criteria())
    observation?.cancel()
    let changed = Array(Self.same.count..<pairs.count)
    #expect(try await written() == changed.map { .integer(Int64($0)) })
    let found = try await notes.find(Criteria()).value
    #expect(try found.map(coded) == pairs.map { try coded($0.1) })
    #expect(recorder.told.map(ids) == (isObserved ? [changed] : []))
  }

  private func ids(_ change: RepositoryChange<Note>) -> [Int] {
    guard case .models(let stored, let updated, let removed) = change.extent else { return [-1] }
    return stored.map(\.id) + updated.map(\.after.id) + removed.map(\.id)
  }

  private func coded(_ note: Note) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    var note = note
    // SQLite keeps no sign with zero, and JSON knows no decimal that is no number.
    if note.number == 0 { note.number = 0 }
    if note.amount?.isNaN == true { (note.amount, note.text) = (nil, "no number") }
    return String(decoding: try encoder.encode(note), as: UTF8.self)
  }

  @Test func `A mirror that finds all as it is to be tells nobody`() async throws {
    let many = (0..<300).map { number in
      var note = Note(text: "\(number)")
      note.id = number
      return note
    }
    try await notes.store(many)
    let recorder = Recorder<Note>()
    let observation = notes.observeChanges { recorder.record($0) }
    try await notes.mirror(many.reversed(), for: Criteria())
    try await notes.mirror(many, for: Criteria().sorted(by: "text"))
    observation.cancel()
    #expect(recorder.told.isEmpty)
    #expect(try await written().isEmpty)
  }

  @Test func `What another connection has changed since is changed back`() async throws {
    let note = Note(text: "ours")
    try await notes.mirror([note], for: Criteria())
    let other = try SQLiteDatabase(path: folder.path())
    try await other.write { _ = try $0.execute("UPDATE note SET text = 'theirs'") }
    try await notes.mirror([note], for: Criteria())
    #expect(try await notes.find(Criteria()).value.map(\.text) == ["ours"])
    try await other.write { _ = try $0.execute("DELETE FROM note") }
    try await notes.mirror([note], for: Criteria())
    #expect(try await notes.find(Criteria()).value.map(\.text) == ["ours"])
  }

  @Test func `A column that the model does not know stays in rows written and left alone`()
    async throws
  {
    try await database.write { _ = try $0.execute("ALTER TABLE note ADD COLUMN old TEXT") }
    let notes = try SQLiteRepository<Note>(database)
    var (one, two) = (Note(text: "a"), Note(text: "b"))
    (one.id, two.id) = (1, 2)
    try await notes.store([one, two])
    try await database.write { _ = try $0.execute("UPDATE note SET old = 'kept'") }
    one.text = "c"
    try await notes.mirror([one, two], for: Criteria())
    let rows = try await database.read { try $0.rows("SELECT text, old FROM note ORDER BY id") }
    #expect(rows.map(\.values) == [[.text("c"), .text("kept")], [.text("b"), .text("kept")]])
  }

  private struct Priced: Codable, Identifiable, Sendable, Equatable {
    var id: Decimal
    var name: String
  }

  @Test func `A key that the file spells otherwise is the same model`() async throws {
    let priced = try SQLiteRepository<Priced>(database)
    try await database.write { db in
      _ = try db.execute("INSERT INTO priced VALUES ('1.50', 'a'), ('2', 'b')")
    }
    let half = try #require(Decimal(string: "1.5"))
    for name in ["a", "c"] {
      let models = [Priced(id: half, name: name), Priced(id: 2, name: "b")]
      #expect(try await priced.mirror(models, for: Criteria()).value.isEmpty)
      #expect(try await priced.find(Criteria()).value == models)
    }
  }

  @Test func `A model that comes into the criteria changes the row that did not match`()
    async throws
  {
    var (one, two) = (Note(text: "in"), Note(text: "out"))
    (one.id, two.id) = (1, 2)
    try await notes.store([one, two])
    two.text = "in"
    let recorder = Recorder<Note>()
    let observation = notes.observeChanges { recorder.record($0) }
    try await notes.mirror([two, one], for: ["text": "in"])
    observation.cancel()
    #expect(try await notes.find(Criteria()).value.map(\.text) == ["in", "in"])
    #expect(recorder.told.map(ids) == [[2]])
  }
}
