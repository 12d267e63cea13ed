import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// Every difference between a table and the model that opens it, whatever the table holds.
@Suite(.patient) struct SchemaGridTests {
  private static let properties: [Difference] = [
    added("an optional property", Valued<String?>.self).works("1=nil 2=nil"),
    added("a property with a default", Defaulted<Four>.self).works("1=4 2=4", null: "3=4"),
    added("a required property", Valued<String>.self)
      .refused(missing("value"), but: [.nothing: ""]),
    Difference("an optional property no more", from: Valued<String?>.self, to: Valueless.self)
      .works("1 2", null: "3"),
    Difference("a property no more", from: Valued<String>.self, to: Valueless.self)
      .refused(unfillable("value"), isNullable: false),
    Difference(
      "an optional property with another name", from: Valued<String?>.self,
      to: Renamed<String?>.self
    )
    .works("1=nil 2=nil"),
    Difference("a property with another name", from: Valued<String>.self, to: Renamed<String>.self)
      .refused(
        missing("worth") + ", " + unfillable("value"), isNullable: false,
        but: [.nothing: "schemaMismatch: " + unfillable("value")]),
    Difference("required now", from: Valued<String?>.self, to: Valued<String>.self)
      .works(null: nil).but(null: "schemaMismatch: " + isNull),
    Difference("optional now", from: Valued<String>.self, to: Valued<String?>.self)
      .refused(takesNoNull, isNullable: false),
    numbers(Difference("another default", from: Defaulted<Four>.self, to: Defaulted<Five>.self))
      .works("1=1 2=4", null: "3=5"),
    numbers(Difference("a default no more", from: Defaulted<Four>.self, to: Valued<Int>.self))
      .works("1=1 2=4").but(null: "schemaMismatch: " + isNull),
    numbers(Difference("a default now", from: Valued<Int>.self, to: Defaulted<Four>.self)).refused(
      takesNoNull, isNullable: false),
    numbers(
      Difference(
        "an optional with a default now", from: Valued<Int?>.self, to: Defaulted<Four>.self)
    ).works("1=1 2=4", null: "3=4"),
  ]

  private static let keys: [Difference] = [
    key("another key", ["id"], ["value"]).refused(
      #""id" is part of the primary key, "value" is not part of the primary key"#, isNullable: false
    ),
    key("a key of more properties", ["id"], ["id", "value"]).refused(
      #""value" is not part of the primary key"#, isNullable: false),
    key("a key of fewer properties", ["id", "value"], ["id"]).refused(
      #""value" is part of the primary key"#, isNullable: false),
    key("a key in another order", ["id", "value"], ["value", "id"]).refused(
      #""id" is number 1 of the primary key instead of 2, "value" is number 2 of the primary key instead of 1"#,
      isNullable: false),
    hand("no key", "(id INTEGER NOT NULL, state TEXT NOT NULL, value TEXT)").refused(noKey),
    hand(
      "a unique id in place of a key",
      "(id INTEGER NOT NULL UNIQUE, state TEXT NOT NULL, value TEXT)"
    ).refused(noKey),
    hand("a descending key", "(id INTEGER, state TEXT NOT NULL, value TEXT, PRIMARY KEY (id DESC))")
      .works(),
  ]

  private static let indexes: [Difference] = [
    index("an index", [], ["value"]).works(indexes: #"INDEX "thing(value)""#),
    index("an index no more", [.unique("value")], []).works(
      indexes: #"UNIQUE INDEX "thing(value)""#),
    index("a unique index", ["value"], [.unique("value")]).works(
      indexes: #"UNIQUE INDEX "thing(value)""#),
    index("an index that is unique no more", [.unique("value")], ["value"]).works(
      indexes: #"INDEX "thing(value)""#),
    index("a folded index", ["value"], [SQLiteIndex("value", folded: true)])
      .works(indexes: #"INDEX "thing(value folded)" INDEX "thing(value)""#),
    twins("a unique index over the same in another case", [.unique("value")])
      .works("1=a 2=A", indexes: #"UNIQUE INDEX "thing(value)""#),
    twins("a unique index without case", [SQLiteIndex("value", isUnique: true, folded: true)])
      .refused(
        "the values of index 'thing(value folded)' have to be unique, and two rows would have the same; change one of them.",
        code: "constraint", but: [.nothing: #"UNIQUE INDEX "thing(value folded)""#]),
    index("a full-text index", [], [.fullText("value")]).works(),
    index("a full-text index no more", [.fullText("value")], []).works(),
  ]

  private static let tables: [Difference] = [
    hand("columns in another order", "(value TEXT, state TEXT NOT NULL, id INTEGER PRIMARY KEY)")
      .works(),
    hand("WITHOUT ROWID", "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT) WITHOUT ROWID")
      .works(),
    hand("STRICT", "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT) STRICT").works(),
    hand("another word for text", "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value VARCHAR(9))")
      .refused(#""value" is VARCHAR(9) instead of TEXT"#),
    hand(
      "a default in the table",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT DEFAULT 'd')"
    ).works(),
    hand("a collation", "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT COLLATE NOCASE)")
      .refused(#""value" is TEXT COLLATE NOCASE instead of TEXT"#),
    hand(
      "a collation of the key",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL COLLATE RTRIM, value TEXT)"
    )
    .refused(#""state" is TEXT COLLATE RTRIM instead of TEXT"#),
    hand(
      "the collation of decimals",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT COLLATE evocation_decimal)"
    )
    .refused(#""value" is TEXT COLLATE evocation_decimal instead of TEXT"#),
    hand(
      "a generated column besides",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT, size INTEGER NOT NULL AS (id + 1))"
    ).works(),
    hand(
      "a generated column in place of a property",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT AS ('d'))"
    )
    .having("id, state", ["1, 'open'", "2, 'open'"], null: "3, 'open'", unreadable: "4, 'stale'")
    .refused(#""value" is generated, and a model writes it"#),
    hand("a check", "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT, CHECK (id < 8))")
      .refused("id < 8.", code: "constraint"),
    hand(
      "a column that wants a value",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT, more TEXT NOT NULL)"
    )
    .having(
      "id, state, value, more", ["1, 'open', 'a', ''", "2, 'open', 'b', ''"],
      null: "3, 'open', NULL, ''", unreadable: "4, 'stale', 'c', ''"
    )
    .refused(unfillable("more")),
    hand(
      "a column with a default",
      "(id INTEGER PRIMARY KEY, state TEXT NOT NULL, value TEXT, more TEXT NOT NULL DEFAULT '')"
    ).works(),
    hand("another model's table", "(code TEXT PRIMARY KEY, name TEXT NOT NULL)")
      .having("code, name", ["'a', 'b'", "'c', 'd'"], null: "NULL, 'e'", unreadable: "'f', 'g'")
      .refused(
        #""id" is missing, and part of the primary key, "# + missing("state") + ", "
          + unfillable("name"),
        but: [
          .nothing: #"schemaMismatch: "id" is missing, and part of the primary key, "#
            + unfillable("name")
        ]),
  ]

  private static let isNull = #""value" is null in a row, and may not be"#
  private static let takesNoNull = #""value" does not take null"#
  private static let noKey = #""id" is not part of the primary key"#

  private static func missing(_ name: String) -> String {
    "\"\(name)\" is missing, and the existing rows have no value for it (make it optional, give it a "
      + "default, or add it in a migration)"
  }

  private static func unfillable(_ name: String) -> String {
    "\"\(name)\" is not of the model, and wants a value"
  }

  private static func added<New: Codable & Identifiable & Sendable>(
    _ name: String, _ type: New.Type
  ) -> Difference {
    var difference = Difference(name, from: Valueless.self, to: type)
      .having("id, state", ["1, 'open'", "2, 'open'"], null: "3, 'open'", unreadable: "4, 'stale'")
    if New.self == Defaulted<Four>.self { difference.new = number }
    return difference
  }

  private static let number = #"{"id": 8, "state": "open", "value": 7}"#

  private static func numbers(_ difference: Difference) -> Difference {
    var numbers = difference.having(
      "id, state, value", ["1, 'open', 1", "2, 'open', 4"], null: "3, 'open', NULL",
      unreadable: "4, 'stale', 7")
    numbers.new = number
    return numbers
  }

  private static func key(
    _ name: String, _ old: [Criteria.Key], _ new: [Criteria.Key]
  ) -> Difference {
    Difference(name, from: Valued<String>.self, to: Valued<String>.self, key: old, newKey: new)
  }

  private static func index(
    _ name: String, _ old: [SQLiteIndex], _ new: [SQLiteIndex]
  ) -> Difference {
    Difference(name, from: Valued<String?>.self, to: Valued<String?>.self, was: old, indexes: new)
  }

  private static func twins(_ name: String, _ new: [SQLiteIndex]) -> Difference {
    var twins = index(name, [], new)
    twins.full = ["1, 'open', 'a'", "2, 'open', 'A'"]
    return twins
  }

  /// A table that another program made of these columns.
  private static func hand(_ name: String, _ columns: String) -> Difference {
    var difference = index(name, [], [])
    difference.hand = [
      "DROP TABLE thing", "DELETE FROM evocation_columns", "CREATE TABLE thing \(columns)",
    ]
    return difference
  }

  @Test(arguments: properties + keys + indexes + tables)
  func `each difference works or is refused as the page says, whatever the table holds`(
    difference: Difference
  ) async throws {
    let outcomes = try await difference.outcomes()
    for held in Held.allCases {
      #expect(outcomes[held] == difference.expected[held], "\(held)")
    }
  }
}
