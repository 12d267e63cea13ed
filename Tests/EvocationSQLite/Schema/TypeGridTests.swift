import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// A kind of values, with the column that it has, and the words for what the file records of it.
private struct Kind: Sendable, CustomTestStringConvertible {
  let column: String
  let words: String
  let literal: String
  let open: @Sendable (SQLiteDatabase, String) throws -> Void
  var testDescription: String { words }

  init<Value: Codable & Sendable>(
    _ type: Value.Type, _ column: String, _ words: String, literal: String
  ) {
    (self.column, self.words, self.literal) = (column, words, literal)
    open = { _ = try SQLiteRepository<Valued<Value?>>($0, table: $1) }
  }

  static let all = [
    Kind(Bool.self, "INTEGER", "a Boolean", literal: "1"),
    Kind(Int.self, "INTEGER", "a whole number", literal: "7"),
    Kind(UInt64.self, "INT", "a whole number", literal: "7"),
    Kind(Double.self, "REAL", "a number", literal: "1.5"),
    Kind(Decimal.self, "TEXT COLLATE evocation_decimal", "a decimal number", literal: "'1.5'"),
    Kind(String.self, "TEXT", "text", literal: "'a'"),
    Kind(URL.self, "TEXT", "text", literal: "'a:b'"),
    Kind(Date.self, "REAL", "a date", literal: "1.5"),
    Kind(UUID.self, "BLOB", "a UUID", literal: "x'00112233445566778899aabbccddeeff'"),
    Kind(Data.self, "BLOB", "data", literal: "x'00'"),
    Kind([Int].self, "TEXT", "JSON", literal: "'[1]'"),
  ]
}

/// Every pair of kinds that a property may have had and has now, whatever the table holds.
@Suite(.patient) struct TypeGridTests {
  @Test(arguments: Kind.all)
  private func `a property of another kind is refused with both kinds, and the same is not`(
    old: Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let before = try SQLiteDatabase(path: folder.path())
    for held in Held.allCases {
      try old.open(before, "\(held)")
      try await before.write { db in
        for (id, state) in [(1, "open"), (2, "open")] where held != .nothing {
          let last = id == 2 ? held : .rows
          try db.execute(
            "INSERT INTO \"\(held)\" VALUES (?, ?, \(last == .null ? "NULL" : old.literal))",
            [id, last == .unreadable ? "stale" : state])
        }
      }
    }
    await before.close()
    for new in Kind.all {
      let after = try SQLiteDatabase(path: folder.path())
      for held in Held.allCases {
        #expect(refusal(after, held, new) == expected(old, new), "\(new.words), \(held)")
      }
      await after.close()
    }
  }

  private func expected(_ old: Kind, _ new: Kind) -> String? {
    if old.column != new.column { return "\"value\" is \(old.column) instead of \(new.column)" }
    if old.words == new.words { return nil }
    return "\"value\" was made for \(old.words), and is to hold \(new.words)"
  }

  private func refusal(_ database: SQLiteDatabase, _ held: Held, _ new: Kind) -> String? {
    do {
      try new.open(database, "\(held)")
      return nil
    } catch let error as SQLiteError where error.code == .schemaMismatch {
      let reason = error.description.components(separatedBy: "its columns differ: ").last
      return reason?.components(separatedBy: "; use another")[0]
    } catch {
      return "\(error)"
    }
  }
}
