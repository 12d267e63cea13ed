import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

@Suite struct MigrationPlanTests {
  /// Each letter is a migration.
  private func outcome(app: String, file: String) -> String {
    do {
      let plan = try MigrationPlan(app.map(String.init), applied: file.map(String.init), file: "f")
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
    let error = #expect(throws: SQLiteError.self) {
      try MigrationPlan([name], applied: [], file: "f")
    }
    #expect(error?.code == .misuse)
    #expect(error?.description.contains("this cannot be the name of a migration") == true)
  }
}
