import Evocation
import Foundation
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

private typealias Key = Criteria.Key

@Suite struct SQLTests {
  private let plan: TablePlan

  init() throws {
    plan = try TablePlan(schema: .of(RandomModel.self), table: "t", key: ["id"])
  }

  private func condition(_ criteria: Criteria) throws -> SQLQuery {
    let predicate = try #require(criteria.resolved(against: plan.schema).predicate)
    return try SQLPredicate(plan: plan).condition(predicate)
  }

  private func expect(
    _ criteria: Criteria, _ text: String, _ values: [SQLValue] = [],
    negated: String, _ negatedValues: [SQLValue]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try condition(criteria) == SQLQuery(text, values), sourceLocation: sourceLocation)
    #expect(
      try condition(!criteria) == SQLQuery(negated, negatedValues ?? values),
      sourceLocation: sourceLocation)
    #expect(
      try condition(!(!criteria)) == SQLQuery(text, values), sourceLocation: sourceLocation)
  }

  @Test func `Each comparison is an operator, and its negation the opposite one`() throws {
    let one: [SQLValue] = [.integer(1)]
    try expect(Key("number") == 1, #""number" = ?"#, one, negated: #""number" <> ?"#)
    try expect(Key("number") != 1, #""number" <> ?"#, one, negated: #""number" = ?"#)
    try expect(
      Key("number") < 1, #"likelihood("number" < ?, 0.01)"#, one,
      negated: #"likelihood("number" >= ?, 0.01)"#)
    try expect(
      Key("number") <= 1, #"likelihood("number" <= ?, 0.01)"#, one,
      negated: #"likelihood("number" > ?, 0.01)"#)
    try expect(
      Key("number") > 1, #"likelihood("number" > ?, 0.01)"#, one,
      negated: #"likelihood("number" <= ?, 0.01)"#)
    try expect(
      Key("number") >= 1, #"likelihood("number" >= ?, 0.01)"#, one,
      negated: #"likelihood("number" < ?, 0.01)"#)
  }

  @Test func `Where null may stand, the negation takes it`() throws {
    let one: [SQLValue] = [.integer(1)]
    try expect(Key("small") == 1, #""small" = ?"#, one, negated: #""small" IS NOT ?"#)
    try expect(Key("small") != 1, #""small" IS NOT ?"#, one, negated: #""small" = ?"#)
    try expect(
      Key("small") < 1, #"likelihood("small" < ?, 0.01)"#, one,
      negated: #"likelihood("small" < ?, 0.01) IS NOT 1"#)
    try expect(
      Key("small") >= 1, #"likelihood("small" >= ?, 0.01)"#, one,
      negated: #"likelihood("small" >= ?, 0.01) IS NOT 1"#)
  }

  @Test func `Null is asked for by name, and never where it cannot be`() throws {
    try expect(Key("small") == nil, #""small" IS NULL"#, negated: #""small" IS NOT NULL"#)
    try expect(Key("small") != nil, #""small" IS NOT NULL"#, negated: #""small" IS NULL"#)
    try expect(Key("small").isNull, #""small" IS NULL"#, negated: #""small" IS NOT NULL"#)
    try expect(Key("number").isNull, "0", negated: "1")
    try expect(Key("number") == nil, "0", negated: "1")
    try expect(Key("number") < Criteria.Scalar.null, "0", negated: "1")
    try expect(Key("tags").isNull, #""tags" IS NULL"#, negated: #""tags" IS NOT NULL"#)
  }

  @Test func `And, or and not are turned inside out`() throws {
    let both = Key("number") == 1 && Key("real") < 2.5
    let values: [SQLValue] = [.integer(1), .real(2.5)]
    try expect(
      both, #"("number" = ? AND likelihood("real" < ?, 0.01))"#, values,
      negated: #"("number" <> ? OR likelihood("real" >= ?, 0.01))"#)
    try expect(
      Key("number") == 1 || Key("real") < 2.5, #"("number" = ? OR likelihood("real" < ?, 0.01))"#,
      values,
      negated: #"("number" <> ? AND likelihood("real" >= ?, 0.01))"#)
    try expect(Criteria(.all([])), "1", negated: "0")
    try expect(Criteria(.any([])), "0", negated: "1")
  }

  @Test func `A range is two comparisons`() throws {
    try expect(
      Key("name").between("a", and: "b"),
      #"(likelihood("name" >= ?, 0.01) AND likelihood("name" <= ?, 0.01))"#,
      [.text("a"), .text("b")],
      negated: """
        (likelihood("name" >= ?, 0.01) AND likelihood("name" <= ?, 0.01)) IS NOT 1
        """)
  }

  @Test func `A few members are parameters`() throws {
    try expect(Key("number").in([Int]()), "0", negated: "1")
    try expect(
      Key("number").in([1, 2, 3]), #""number" IN (?, ?, ?)"#,
      [.integer(1), .integer(2), .integer(3)],
      negated: #""number" IN (?, ?, ?) IS NOT 1"#)
    try expect(
      Key("small").in([1]), #""small" IN (?)"#, [.integer(1)],
      negated: #""small" IN (?) IS NOT 1"#)
    try expect(
      Key("small").in([.integer(1), Criteria.Scalar.null]), #"("small" IN (?) OR "small" IS NULL)"#,
      [.integer(1)], negated: #"("small" IN (?) OR "small" IS NULL) IS NOT 1"#)
  }

  @Test func `Many members are one parameter`() throws {
    try expect(
      Key("number").in(0..<9), #""number" IN (SELECT value FROM json_each(?))"#,
      [.text("[0,1,2,3,4,5,6,7,8]")],
      negated: #""number" IN (SELECT value FROM json_each(?)) IS NOT 1"#)
    let texts = (0..<9).map { $0 == 0 ? "\0" : "a" }
    try expect(
      Key("name").in(texts), #""name" IN (SELECT evocation_unpack(value) FROM json_each(?))"#,
      [.text(#"["tAA==","=a","=a","=a","=a","=a","=a","=a","=a"]"#)],
      negated: """
        "name" IN (SELECT evocation_unpack(value) FROM json_each(?)) IS NOT 1
        """)
  }

  @Test func `A prefix is a range that ends before the next byte`() throws {
    try expect(
      Key("name").hasPrefix("ab"), #"("name" >= ? AND "name" < ?)"#,
      [.text("ab"), .textBytes(Array("ac".utf8))],
      negated: #"("name" >= ? AND "name" < ?) IS NOT 1"#)
    try expect(
      Key("nameOrNot").hasPrefix("\u{10FFFF}"), #"("nameOrNot" >= ? AND "nameOrNot" < ?)"#,
      [.text("\u{10FFFF}"), .textBytes([0xF4, 0x8F, 0xBF, 0xC0])],
      negated: #"("nameOrNot" >= ? AND "nameOrNot" < ?) IS NOT 1"#)
    try expect(Key("name").hasPrefix(""), "1", negated: "0")
    try expect(
      Key("nameOrNot").hasPrefix(""), #""nameOrNot" IS NOT NULL"#,
      negated: #""nameOrNot" IS NOT NULL IS NOT 1"#)
  }

  @Test func `Containing is instr for text and membership for lists`() throws {
    try expect(
      Key("name").contains("%_"), #"instr("name", ?) > 0"#, [.text("%_")],
      negated: #"instr("name", ?) > 0 IS NOT 1"#)
    try expect(
      Key("nameOrNot").contains("a"), #"instr("nameOrNot", ?) > 0"#, [.text("a")],
      negated: #"instr("nameOrNot", ?) > 0 IS NOT 1"#)
    let element = "evocation_json(evocation_element.json -> evocation_element.fullkey)"
    let exists =
      #"EXISTS (SELECT 1 FROM json_each("t"."tags", '$') AS evocation_element WHERE \#(element) = ?)"#
    try expect(Key("tags").contains("a"), exists, [.text("a")], negated: "\(exists) IS NOT 1")
  }

  @Test func `What is nested is looked up in its column`() throws {
    try expect(
      Key("part.flag") == true, #"json_extract("part", '$."flag"') = ?"#, [.integer(1)],
      negated: #"json_extract("part", '$."flag"') IS NOT ?"#)
    try expect(
      Key("part.deep.number") == 1, #"json_extract("part", '$."deep"."number"') = ?"#,
      [.integer(1)], negated: #"json_extract("part", '$."deep"."number"') IS NOT ?"#)
    try expect(
      Key("part.real") > 0.5, #"likelihood(evocation_real("part" -> '$."real"') > ?, 0.01)"#,
      [.real(0.5)],
      negated: #"likelihood(evocation_real("part" -> '$."real"') > ?, 0.01) IS NOT 1"#)
    try expect(
      Key("part.name").isNull, #"json_extract("part", '$."name"') IS NULL"#,
      negated: #"json_extract("part", '$."name"') IS NOT NULL"#)
  }

  @Test func `Values are bound in the form of the column`() throws {
    let uuid = Everything.greatest.id
    #expect(try condition(Key("key") == uuid).values == [.blob(Array(repeating: 255, count: 16))])
    #expect(try condition(Key("part.key") == uuid).values == [.text(uuid.uuidString)])
    #expect(
      try condition(Key("large") == UInt64.max).values == [.blob(Array(repeating: 255, count: 8))])
    #expect(try condition(Key("price") == 1.10).values == [.text("1.1")])
    #expect(
      try condition(Key("at") > Date(timeIntervalSinceReferenceDate: 1.5)).values == [.real(1.5)])
    #expect(try condition(Key("real") == Double.nan).values == [.blob(Array("NaN".utf8))])
    #expect(try condition(Key("bytes") == Data()).values == [.blob([])])
  }

  @Test func `Numbers that a column cannot hold are compared with their neighbours`() throws {
    let odd = Int64(1 << 53) + 1
    try expect(Key("real") == odd, "0", negated: "1")
    try expect(
      Key("real") < odd, #"likelihood("real" <= ?, 0.01)"#, [.real(0x1p53)],
      negated: #"likelihood("real" >= ?, 0.01)"#,
      [.real(0x1p53 + 2)])
    #expect(try condition(Key("large") < 1e30).values == [.blob(Array(repeating: 255, count: 9))])
  }

  @Test func `The order ends with the key, and the count is bound`() throws {
    let selection = SQLSelection(try TablePlan(schema: .of(Car.self), table: nil, key: ["id"]))
    let criteria = Criteria().sorted(by: "year", descending: true).sorted(by: "owner.city")
      .limit(3).offset(2)
    let columns = #""id", "name", "year", "price", "tags", "owner""#
    #expect(
      try selection.query(criteria)
        == SQLQuery(
          #"SELECT \#(columns) FROM "car" ORDER BY "year" DESC, "#
            + #"evocation_json("owner" -> '$."city"'), "id" LIMIT ? OFFSET ?"#,
          [.integer(3), .integer(2)]))
    #expect(
      try selection.query(Criteria()).text == #"SELECT \#(columns) FROM "car" ORDER BY "id""#)
    #expect(try selection.query(Criteria().offset(2)).values == [.integer(-1), .integer(2)])
  }

  @Test func `A cursor is one range, or one for null and one for the values`() throws {
    let plan = try TablePlan(schema: .of(Car.self), table: nil, key: ["id"])
    func after(_ values: [Criteria.Scalar], _ order: Criteria) throws -> SQLQuery {
      let query = try SQLSelection(plan).query(
        order.after(.init(values: values, id: [.integer(9)])))
      let texts = query.text.components(separatedBy: " WHERE ").dropFirst().map { part in
        part.components(separatedBy: " ORDER BY ")[0].components(separatedBy: " UNION ALL ")[0]
      }
      return SQLQuery(texts.joined(separator: " | "), query.values)
    }
    let byYear = Criteria().sorted(by: "year")
    let down = Criteria().sorted(by: "year", descending: true)
    #expect(try after([], Criteria()) == SQLQuery(#""id" > ?"#, [.integer(9)]))
    #expect(
      try after([.integer(2000)], byYear)
        == SQLQuery(#"("year", "id") > (?, ?)"#, [.integer(2000), .integer(9)]))
    #expect(
      try after([.null], byYear)
        == SQLQuery(#"("year" IS NULL AND "id" > ?) | "year" IS NOT NULL"#, [.integer(9)]))
    #expect(
      try after([.integer(2000)], down)
        == SQLQuery(
          #"("year" <= ? AND ("year" < ? OR ("year" = ? AND "id" > ?))) | "year" IS NULL"#,
          [.integer(2000), .integer(2000), .integer(2000), .integer(9)]))
    #expect(try after([.null], down) == SQLQuery(#"("year" IS NULL AND "id" > ?)"#, [.integer(9)]))
  }

  @Test func `Statements name each column, with quotes doubled`() throws {
    struct Odd: Codable, Identifiable {
      var id: String
      var value: Int?
      enum CodingKeys: String, CodingKey {
        case id, value = "a\"b"
      }
    }
    let plan = try TablePlan(schema: .of(Odd.self), table: "x\"; --", key: ["id"])
    #expect(
      plan.create == #"CREATE TABLE "x""; --" ("id" TEXT NOT NULL, "a""b" INTEGER, "#
        + #"PRIMARY KEY ("id")) WITHOUT ROWID"#)
    #expect(
      plan.statement(.upsert)
        == #"INSERT INTO "x""; --" ("id", "a""b") VALUES (?, ?) ON CONFLICT ("id") "#
        + #"DO UPDATE SET "a""b" = excluded."a""b""#)
    #expect(plan.statement(.update) == #"UPDATE "x""; --" SET "a""b" = ?2 WHERE "id" = ?1"#)
    #expect(
      plan.statement(.remove) == #"DELETE FROM "x""; --" WHERE "id" = ?"#)
  }

  private struct Sized<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
    var id: UUID
    var value: Value
    var count = 1
  }

  private func isInKeyTree<Value: Codable & Sendable>(_ type: Value.Type) throws -> Bool {
    try TablePlan(schema: .of(Sized<Value>.self), table: "t", key: ["id"]).create
      .hasSuffix(") WITHOUT ROWID")
  }

  @Test func `Rows are stored in the tree of their keys only if each is small`() throws {
    #expect(try isInKeyTree(Int.self))
    #expect(try isInKeyTree(Double?.self))
    #expect(try isInKeyTree(UInt64.self))
    #expect(try isInKeyTree(Bool.self))
    #expect(try isInKeyTree(Date.self))
    #expect(try isInKeyTree(UUID.self))
    #expect(try isInKeyTree(Decimal.self))
    #expect(try !isInKeyTree(String.self))
    #expect(try !isInKeyTree(URL?.self))
    #expect(try !isInKeyTree(Data.self))
    #expect(try !isInKeyTree([Int].self))
    #expect(try !isInKeyTree(Car.Owner?.self))
    let numbers = try TablePlan(schema: .of(Car.self), table: "t", key: ["id"])
    #expect(numbers.create.hasSuffix("PRIMARY KEY (\"id\"))"))
  }
}
