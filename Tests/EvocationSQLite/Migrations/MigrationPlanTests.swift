import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite struct MigrationPlanTests {
  /// Each letter is a migration, in upper case with another checksum.
  private func migrations(_ letters: String) -> [AppliedMigration] {
    letters.map { AppliedMigration(name: $0.lowercased(), checksum: "\($0)") }
  }

  private func outcome(app: String, file: String) -> String {
    do {
      let plan = try MigrationPlan(migrations(app), applied: migrations(file), file: "f")
      return "\(plan.appliedCount)"
    } catch {
      return "\(error.code == .newerSchema ? "newer: " : "")\(error)"
    }
  }

  @Test(arguments: [
    ("", "", "0"), ("abc", "", "0"), ("abc", "ab", "2"), ("abc", "abc", "3"),
    (
      "ab", "abc",
      "newer: Migrating the database in f failed: it has the migration \"c\", which this version "
        + "of the app does not know; update the app."
    ),
    (
      "", "a",
      "newer: Migrating the database in f failed: it has the migration \"a\", which this version "
        + "of the app does not know; update the app."
    ),
    (
      "abd", "abc",
      "newer: Migrating the database in f failed: it has the migration \"c\", which this version "
        + "of the app does not know; update the app."
    ),
    (
      "aBc", "abc",
      "The migration \"b\" of the database in f failed: it was applied, and its code has changed "
        + "since; restore it as it was released, and write the change as a new one."
    ),
    (
      "acb", "abc",
      "The migration \"b\" of the database in f failed: it was applied as number 2, and is number 3 "
        + "now; keep released migrations in their order."
    ),
    (
      "ac", "abc",
      "The migration \"b\" of the database in f failed: it was applied, and is missing, while \"c\", "
        + "which came later, is there; keep released migrations in the list."
    ),
    (
      "abc", "ac",
      "The migration \"b\" of the database in f failed: it comes before \"c\", which was applied "
        + "already; put new migrations at the end."
    ),
    (
      "aba", "",
      "The migration \"a\" of the database in f failed: two migrations have this name; give each its "
        + "own name."
    ),
  ])
  func `The file's migrations have to be the first of the app's`(
    app: String, file: String, outcome: String
  ) {
    #expect(self.outcome(app: app, file: file) == outcome)
  }

  @Test(arguments: ["", "a\0b"])
  func `A name has to be text without a NUL`(name: String) {
    let migration = AppliedMigration(name: name, checksum: "")
    let error = #expect(throws: SQLiteError.self) {
      try MigrationPlan([migration], applied: [], file: "f")
    }
    #expect(error?.code == .misuse)
    #expect(error?.description.contains("this cannot be the name of a migration") == true)
  }

  @Test(arguments: [
    ("SELECT 1", " select"), ("SELECT 1", "SELECT 2"), ("SELECT 'a b'", "SELECT 'a  b'"),
    ("SELECT \"a--b\"", "SELECT \"a\""), ("SELECT [a  b]", "SELECT [a b]"),
    ("SELECT 1 -- a\n + 1", "SELECT 1 -- a + 1"),
  ])
  func `A checksum tells statements that differ`(left: String, right: String) {
    #expect(Checksum.of([left]) != Checksum.of([right]))
  }

  @Test(arguments: [
    "SELECT 1 + 'it''s  so'", "  SELECT\n\t1 +\r\n'it''s  so' ; ",
    "SELECT /* one */ 1 -- two\n+ 'it''s  so';;", "SELECT/**/1/* ; -- */+ /**/'it''s  so'--",
  ])
  func `A checksum is the same for SQL that is laid out anew`(sql: String) {
    #expect(Checksum.normalized(sql) == "SELECT 1 + 'it''s  so'")
    #expect(Checksum.of([sql]) == Checksum.of(["SELECT 1 + 'it''s  so'"]))
  }

  @Test func `A checksum stays what it was, because files have it`() {
    #expect(Checksum.of([]) == "cbf29ce484222325")
    #expect(Checksum.of(["ALTER TABLE a ADD COLUMN b", "SELECT 1"]) == "113cc788a87d0779")
    #expect(Checksum.of(["a b"]) != Checksum.of(["a", "b"]))
  }
}
