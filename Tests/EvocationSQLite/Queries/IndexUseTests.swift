import CEvocationSQLite
import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

private typealias Key = Criteria.Key

private struct Part: Codable, Identifiable, Sendable {
  var id: Int
  var number: Int
  var name: String
  var price: Decimal?
  var made: Date?
  var maker: Maker?

  struct Maker: Codable, Sendable { var city: String }
}

@Suite(.patient) struct IndexUseTests {
  private let folder: TemporaryFolder
  private let parts: SQLiteRepository<Part>

  init() throws {
    folder = try TemporaryFolder()
    parts = try SQLiteRepository<Part>(
      SQLiteDatabase(path: folder.path()),
      indexes: [
        "number", "price", "made", "maker.city", SQLiteIndex("name", "number"),
      ])
  }

  /// What SQLite says that it does to find the models.
  private func plan(_ criteria: Criteria) async throws -> [String] {
    let resolved = try criteria.resolved(against: parts.table.plan.schema)
    let query = try parts.table.selection.query(resolved)
    return try await parts.database.read { db in
      let values = [(any CriteriaValue)?](repeating: nil, count: query.values.count)
      return try db.rows("EXPLAIN QUERY PLAN \(query.text)", values).map { row in
        guard case .text(let detail)? = row["detail"] else { return "" }
        return detail
      }
    }
  }

  private func expectSearch(
    _ criteria: Criteria, _ index: String, _ terms: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let first = try await plan(criteria).first
    #expect(
      first == "SEARCH part USING INDEX \(index) (\(terms))", sourceLocation: sourceLocation)
  }

  @Test func `An equality and a list search a declared index`() async throws {
    try await expectSearch(["number": 1], "part(number)", "number=?")
    try await expectSearch(["price": nil], "part(price)", "price=?")
    try await expectSearch(["maker.city": "a"], "part(maker.city)", "<expr>=?")
    try await expectSearch(Key("number").in([1, 2, 3]), "part(number)", "number=?")
    try await expectSearch(Key("number").in(Array(0..<1000)), "part(number)", "number=?")
  }

  @Test func `A range searches a declared index`() async throws {
    let (number, price, made) = (Key("number"), Key("price"), Key("made"))
    try await expectSearch(number.between(1, and: 5), "part(number)", "number>? AND number<?")
    try await expectSearch(number > 1, "part(number)", "number>?")
    try await expectSearch((number > 1).sorted(by: number), "part(number)", "number>?")
    try await expectSearch((price <= 1.5).sorted(by: price), "part(price)", "price<?")
    let since = made >= Date.distantPast
    let until = made < Date.distantFuture
    try await expectSearch(since && until, "part(made)", "made>? AND made<?")
    let named: Criteria = ["name": "a"]
    try await expectSearch(named && number < 5, "part(name,number)", "name=? AND number<?")
  }

  /// Returns how many steps SQLite takes to find the models, and their ids.
  private func steps(_ criteria: Criteria) async throws -> (count: Int32, ids: [Int64]) {
    let query = try parts.table.selection.query(
      criteria.resolved(against: parts.table.plan.schema))
    return try await parts.database.reading { connection in
      let statement = try connection.bound(query.text, query.values)
      defer { statement.reset() }
      _ = sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 1)
      var ids: [Int64] = []
      while try connection.step(statement, "") { ids.append(statement.integer(at: 0)) }
      return (sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_VM_STEP, 0), ids)
    }
  }

  @Test func `The first of a range are found fast, whether it has most rows or few`() async throws {
    let count = 20_000
    try await parts.store((0..<count).map { Part(id: $0, number: $0 * 7_919 % count, name: "a") })
    let number = Key("number")
    let most = [number >= 10, !(number < 10), number.between(10, and: count)]
    for criteria in most {
      let found = try await steps(criteria.limit(10))
      #expect(found.ids.count == 10)
      #expect(found.count < 10_000, "\(criteria)")
    }
    let few = [number >= count - 5, !(number < count - 5), number.between(count - 5, and: count)]
    for criteria in few {
      let found = try await steps(criteria.limit(10))
      #expect(found.ids == (0..<count).filter { $0 * 7_919 % count >= count - 5 }.map(Int64.init))
      #expect(found.count < 10_000, "\(criteria)")
    }
  }

  @Test func `The first of a range are those of the reference, across the border of both ways`()
    async throws
  {
    let all = (0..<300).map { Part(id: $0, number: $0 * 77 % 300, name: "\($0 % 3)") }
    try await parts.store(all)
    let reference = InMemoryRepository(all)
    let number = Key("number")
    for bound in [0, 1, 150, 250, 295, 299, 300] {
      for range in [
        number >= bound, number < bound, !(number > bound), number.between(bound, and: 298),
        number > bound && Key("name") == "1", number > bound && Key("made") == nil,
      ] {
        for (limit, offset) in [(1, 0), (1, 3), (4, 0), (9, 20), (14, 1), (400, 0), (2, 290)] {
          let criteria = range.limit(limit).offset(offset)
          let expected = try await reference.find(criteria).value.map(\.id)
          #expect(try await parts.find(criteria).value.map(\.id) == expected, "\(criteria)")
        }
      }
    }
  }

  @Test func `A prefix searches a declared index`() async throws {
    try await expectSearch(
      Key("name").hasPrefix("a"), "part(name,number)", "name>? AND name<?")
    try await expectSearch(
      Key("maker.city").hasPrefix("a"), "part(maker.city)", "<expr>>? AND <expr><?")
  }

  @Test(
    arguments: [
      (Criteria().sorted(by: "number"), "part(number)"),
      (Criteria().sorted(by: "name").sorted(by: "number"), "part(name,number)"),
      (Criteria().sorted(by: "made"), "part(made)"),
      (Criteria().sorted(by: "price"), "part(price)"),
      (Criteria().sorted(by: "maker.city"), "part(maker.city)"),
    ] as [(Criteria, String)])
  func `An order follows a declared index, and nothing is sorted`(
    criteria: Criteria, index: String
  ) async throws {
    #expect(try await plan(criteria.limit(10)) == ["SCAN part USING INDEX \(index)"])
  }

  @Test func `A descending order follows the index, and sorts only among equals`() async throws {
    let plan = try await plan(Criteria().sorted(by: "number", descending: true).limit(10))
    #expect(
      plan == [
        "SCAN part USING INDEX part(number)", "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY",
      ])
  }

  @Test func `A condition and an order share an index`() async throws {
    let plan = try await plan((Key("name") == "a").sorted(by: "number").limit(10))
    #expect(plan == ["SEARCH part USING INDEX part(name,number) (name=?)"])
  }

  @Test func `A page after a cursor begins in the index, and nothing is sorted`() async throws {
    let part = Part(id: 1, number: 2, name: "a", made: .distantPast)
    for (key, index) in [("number", "part(number)"), ("made", "part(made)")] {
      let order = Criteria().sorted(by: Key(key)).limit(10)
      let plan = try await plan(order.after(order.cursor(at: part)))
      #expect(plan == ["SEARCH part USING INDEX \(index) (\(key)>?)"])
    }
    let order = Criteria().sorted(by: "name").sorted(by: "number").limit(10)
    let plan = try await plan(order.after(order.cursor(at: part)))
    #expect(plan == ["SEARCH part USING INDEX part(name,number) ((name,number)>(?,?))"])
    let byID = try await self.plan(Criteria().after(Criteria().cursor(at: part)))
    #expect(byID == ["SEARCH part USING INTEGER PRIMARY KEY (rowid>?)"])
  }

  @Test func `A page after a cursor begins in the index in descending and mixed orders too`()
    async throws
  {
    let part = Part(id: 1, number: 2, name: "a", made: .distantPast)
    let sorted = "USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"
    func plan(_ order: Criteria, at part: Part) async throws -> [String] {
      try await self.plan(order.limit(10).after(order.cursor(at: part)))
    }
    let byNumber = Criteria().sorted(by: "number", descending: true)
    #expect(
      try await plan(byNumber, at: part)
        == ["SEARCH part USING INDEX part(number) (number<?)", sorted])
    let byMade = Criteria().sorted(by: "made", descending: true)
    #expect(
      try await plan(byMade, at: part) == [
        "MERGE (UNION ALL)", "LEFT", "SEARCH part USING INDEX part(made) (made<?)", sorted,
        "RIGHT", "SEARCH part USING INDEX part(made) (made=?)",
      ])
    let unmade = Part(id: 1, number: 2, name: "a")
    #expect(
      try await plan(byMade, at: unmade)
        == ["SEARCH part USING INDEX part(made) (made=? AND rowid>?)"])
    #expect(
      try await plan(Criteria().sorted(by: "made"), at: unmade) == [
        "MERGE (UNION ALL)", "LEFT",
        "SEARCH part USING INDEX part(made) (made=? AND rowid>?)", "RIGHT",
        "SEARCH part USING INDEX part(made) (made>?)",
      ])
    for (isDown, range) in [(true, "name<?"), (false, "name>?")] {
      let mixed = Criteria().sorted(by: "name", descending: isDown)
        .sorted(by: "number", descending: !isDown)
      let first = try await plan(mixed, at: part).first
      #expect(first == "SEARCH part USING INDEX part(name,number) (\(range))")
    }
    let city = Criteria().sorted(by: "maker.city", descending: true)
    let nested = try await plan(
      city, at: Part(id: 1, number: 2, name: "a", maker: .init(city: "b")))
    #expect(!nested.contains { $0.hasPrefix("SCAN") }, "\(nested)")
    let named: Criteria = ["name": "a"]
    let within = named.sorted(by: "number", descending: true)
    #expect(
      try await plan(within, at: part).first
        == "SEARCH part USING INDEX part(name,number) (name=? AND number<?)")
  }

  @Test func `Without an index the table is read`() async throws {
    #expect(try await plan(Key("name").contains("a")) == ["SCAN part"])
  }
}
