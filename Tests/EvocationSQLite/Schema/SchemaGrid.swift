import Evocation
import EvocationSQLite
import Foundation
import Testing

@testable import SQLiteSupport

/// What a table has when another version of its model opens it.
enum Held: CaseIterable { case nothing, rows, null, unreadable }

enum Readiness: String, Codable, Sendable { case open, done }

/// A model with a value of any type.
struct Valued<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
  var id: Int
  var state: Readiness
  var value: Value
}

/// A model without it.
struct Valueless: Codable, Identifiable, Sendable {
  var id: Int
  var state: Readiness
}

/// A model in which it has another name.
struct Renamed<Value: Codable & Sendable>: Codable, Identifiable, Sendable {
  enum CodingKeys: String, CodingKey { case id, state, value = "worth" }

  var id: Int
  var state: Readiness
  var value: Value
}

/// A number that a type uses in place of a missing one.
protocol Fallback: Sendable { static var number: Int { get } }

enum Four: Fallback { static let number = 4 }
enum Five: Fallback { static let number = 5 }

/// A model that has a value without reading it.
struct Defaulted<Number: Fallback>: Codable, Identifiable, Sendable {
  enum CodingKeys: CodingKey { case id, state, value }

  var id: Int
  var state: Readiness
  var value: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(Int.self, forKey: .id)
    state = try container.decode(Readiness.self, forKey: .state)
    value = try container.decodeIfPresent(Int.self, forKey: .value) ?? Number.number
  }
}

/// A difference between a table and the model that opens it.
struct Difference: Sendable {
  let name: String
  /// Makes a table as the version before had it.
  private let make: @Sendable (SQLiteDatabase, Held) throws -> Void
  /// What another program did to the table `thing`.
  var hand: [String] = []
  /// The columns of the rows; two rows, one with null, and one that nobody can read.
  var columns = "id, state, value"
  var full = ["1, 'open', 'a'", "2, 'open', 'b'"]
  var null = "3, 'open', NULL"
  var unreadable = "4, 'stale', 'c'"
  /// A model that is written then, as JSON.
  var new = #"{"id": 8, "state": "open", "value": "w", "worth": "w"}"#
  /// What comes of it: the rows, those that cannot be decoded and the indexes, or a refusal.
  var expected: [Held: String] = [:]
  /// Opens a table, and says what comes of it.
  private let open: @Sendable (SQLiteDatabase, Held, Data) async -> String

  init<Old: Codable & Identifiable & Sendable, New: Codable & Identifiable & Sendable>(
    _ name: String, from old: Old.Type, to new: New.Type, was: [SQLiteIndex] = [],
    indexes: [SQLiteIndex] = [], key: [Criteria.Key] = ["id"], newKey: [Criteria.Key]? = nil
  ) {
    self.name = name
    make = { database, held in
      _ = try SQLiteRepository<Old>(database, table: "\(held)", key: key, indexes: was)
    }
    open = { database, held, json in
      await Self.opened(database, New.self, held: held, new: json) {
        try SQLiteRepository(
          database, table: "\(held)", key: newKey ?? key, indexes: indexes,
          onUnreadable: .leaveOut)
      }
    }
  }

  /// What opening each table says, twice, because the second time must need nothing more; nil for what
  /// the table cannot hold.
  func outcomes() async throws -> [Held: String] {
    let folder = try TemporaryFolder()
    let before = try SQLiteDatabase(path: folder.path())
    var holding: [Held] = []
    for held in Held.allCases {
      try make(before, held)
      try await before.write { db in
        for statement in hand { try db.execute(statement.replacing("thing", with: "\"\(held)\"")) }
      }
      if try await fill(before, held) { holding.append(held) }
    }
    await before.close()
    var outcomes: [Held: String] = [:]
    for held in holding {
      var said: [String] = []
      for _ in 0..<2 {
        let database = try SQLiteDatabase(path: folder.path())
        said.append(await open(database, held, Data(new.utf8)))
        await database.close()
      }
      let once = said[0] == said[1] ? said[0] : said.joined(separator: ", and then ")
      outcomes[held] = once.replacing("\(held)(", with: "thing(")
    }
    return outcomes
  }

  private func fill(_ database: SQLiteDatabase, _ held: Held) async throws -> Bool {
    if held == .nothing { return true }
    let more = held == .null ? [null] : held == .unreadable ? [unreadable] : []
    do {
      try await database.write { db in
        for row in full + more {
          try db.execute("INSERT INTO \"\(held)\" (\(columns)) VALUES (\(row))")
        }
      }
      return true
    } catch let error as SQLiteError where held == .null && error.code == .constraint {
      return false
    }
  }

  /// The rows and indexes of an opened table, or why it is refused; a model must be written and read then.
  private static func opened<New: Codable & Identifiable & Sendable>(
    _ database: SQLiteDatabase, _ type: New.Type, held: Held, new: Data,
    _ make: () throws -> SQLiteRepository<New>
  ) async -> String {
    do {
      let things = try make()
      var parts = try await things.find(Criteria()).value.map(text)
      parts += try await things.unreadableRows().map { "not \($0.id)" }
      let indexes = """
        SELECT substr(sql, 8, instr(sql, ' ON ') - 8) FROM sqlite_schema
        WHERE tbl_name = ? AND type = 'index' AND sql <> '' ORDER BY name
        """
      parts += try await database.read { try $0.texts(indexes, held) }
      let model = try JSONDecoder().decode(New.self, from: new)
      try await things.storeOrUpdate([model])
      guard try await things.remove([model]).value.map(text) == [text(model)] else {
        return "what was written is not read"
      }
      return parts.joined(separator: " ")
    } catch let error as SQLiteError {
      let reason = error.description.components(separatedBy: "its columns differ: ").last ?? ""
      let sentence = reason.components(separatedBy: "; use another")[0]
      return "\(word(of: error.code)): \(sentence.components(separatedBy: " failed: ").last ?? "")"
    } catch {
      return "\(error)"
    }
  }

  private static func word(of code: SQLiteError.Code) -> String {
    code == .schemaMismatch ? "schemaMismatch" : code == .constraint ? "constraint" : "\(code)"
  }

  private static func text(_ model: some Identifiable) -> String {
    guard let value = Mirror(reflecting: model).children.first(where: { $0.label == "value" })
    else {
      return "\(model.id)"
    }
    let text = "\(value.value)".replacing("Optional(\"", with: "").replacing("\")", with: "")
    return "\(model.id)=\(text)"
  }
}

extension Difference: CustomTestStringConvertible {
  var testDescription: String { name }

  /// The difference that changes nothing in these rows, and leaves these indexes.
  func works(_ rows: String = "1=a 2=b", null: String? = "3=nil", indexes: String = "") -> Self {
    func text(_ parts: String...) -> String {
      parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
    var difference = self
    difference.expected = [
      .nothing: indexes, .rows: text(rows, indexes), .unreadable: text(rows, "not 4", indexes),
    ]
    difference.expected[.null] = null.map { text(rows, $0, indexes) }
    return difference
  }

  /// The difference with something else to expect of a row with null.
  func but(null: String) -> Self {
    var difference = self
    difference.expected[.null] = null
    return difference
  }

  /// The difference with other rows.
  func having(_ columns: String, _ full: [String], null: String, unreadable: String) -> Self {
    var difference = self
    (difference.columns, difference.full) = (columns, full)
    (difference.null, difference.unreadable) = (null, unreadable)
    return difference
  }

  /// The difference that is refused, whatever the table holds, but for what is said of some.
  func refused(
    _ sentence: String, code: String = "schemaMismatch", isNullable: Bool = true,
    but others: [Held: String] = [:]
  ) -> Self {
    var difference = self
    for held in Held.allCases where isNullable || held != .null {
      difference.expected[held] = "\(code): \(sentence)"
    }
    difference.expected.merge(others) { $1 }
    return difference
  }
}

extension SQLiteAccess {
  fileprivate func texts(_ sql: String, _ held: Held) throws -> [String] {
    try rows(sql, ["\(held)"]).compactMap { row in
      guard case .text(let text)? = row.values.first else { return nil }
      return text
    }
  }
}
