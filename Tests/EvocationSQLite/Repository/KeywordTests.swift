import Evocation
import EvocationSQLite
import TestTraits
import Testing

@testable import SQLiteSupport

/// Properties that are called as words of SQL are.
@Suite(.patient) struct KeywordTests {
  private struct Odd: SQLiteModel, Equatable {
    enum CodingKeys: String, CodingKey, CaseIterable {
      case id, yes = "true", no = "false", null, select, order, current = "current_date"
    }

    static let table = "table"
    static let indexes: [SQLiteIndex] = ["true", "null"]

    var id: Int
    var yes: Int
    var no: Bool
    var null: Int?
    var select: String
    var order: [Int]
    var current: Double
  }

  private static let all = (0..<12).map { index in
    Odd(
      id: index, yes: index % 3, no: index % 2 == 0, null: index % 4 == 0 ? nil : index % 3 - 1,
      select: "\(index % 3)", order: [index % 2], current: Double(index % 3))
  }

  @Test(arguments: Odd.CodingKeys.allCases.map(\.rawValue))
  func `SQLite and memory find the same models by them, and by their negation`(
    name: String
  ) async throws {
    let key = Criteria.Key(name)
    let memory = InMemoryRepository(Self.all)
    let sqlite = try SQLiteRepository<Odd>(.inMemory())
    try await sqlite.store(Self.all)
    var terms: [Criteria] = [key.isNull]
    switch name {
    case "order": terms += [key.contains(1)]
    case "select":
      terms += [key.in(["0", "9"]), key > "1", key.hasPrefix("2"), key.contains("0"), key == "1"]
    case "false": terms += [key == true, key.in([true])]
    default: terms += [key.in([99]), key.in([0, 1]), key > 1, key.between(1, and: 2), key == 0]
    }
    for term in terms {
      for other in [Criteria.Key("id").in([99]), Criteria.Key("true") <= 1] {
        for criteria in [term, !term, !(term && other), !term || !other, !(!term)] {
          let sorted = criteria.sorted(by: name == "order" ? "id" : key, descending: true)
          let (found, expected) = try await (sqlite.find(sorted).value, memory.find(sorted).value)
          #expect(found == expected, "\(criteria)")
        }
      }
    }
  }

  /// A property with a default, for which a start looks whether each row has it.
  private struct Agreed: Codable, Identifiable, Sendable, Equatable {
    enum CodingKeys: String, CodingKey { case id, yes = "true" }

    var id: Int
    var yes: Int

    init(id: Int, yes: Int) { (self.id, self.yes) = (id, yes) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      yes = try container.decodeIfPresent(Int.self, forKey: .yes) ?? 4
    }
  }

  @Test func `A table with them is opened again`() async throws {
    let folder = try TemporaryFolder()
    for id in 0..<3 {
      let database = try SQLiteDatabase(path: folder.path())
      let models = try SQLiteRepository<Agreed>(database)
      try await models.store([Agreed(id: id, yes: id)])
      #expect(
        try await models.find(Criteria()).value == (0...id).map { Agreed(id: $0, yes: $0) })
      await database.close()
    }
  }

  @Test func `Models with them are written, mirrored and removed`() async throws {
    let sqlite = try SQLiteRepository<Odd>(.inMemory())
    try await sqlite.store(Self.all)
    let observation = sqlite.observeChanges { _ in }
    defer { observation.cancel() }
    try await sqlite.mirror(Array(Self.all.prefix(4)), for: !Criteria.Key("id").in([99]))
    #expect(try await sqlite.find(Criteria()).value == Array(Self.all.prefix(4)))
    #expect(try await sqlite.removeAll(matching: !Criteria.Key("true").in([0])) == 2)
  }
}
