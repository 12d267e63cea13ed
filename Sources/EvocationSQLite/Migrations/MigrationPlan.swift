/// Compares the migrations of an app with those that were applied to a file.
///
/// It is a value that reads no file, so that every case is a row of a test.
struct MigrationPlan {
  /// The number of the app's migrations that were applied.
  let appliedCount: Int

  /// Creates a plan.
  ///
  /// - Throws: ``SQLiteError`` if the app's list does not begin with the file's migrations, or has
  ///   a name that is empty, contains NUL or occurs twice.
  init(
    _ names: [String], applied: [String], file: String
  ) throws(SQLiteError) {
    for (position, name) in names.enumerated() {
      let twin = names.prefix(position).contains(name)
      guard !name.isEmpty, !name.utf8.contains(0), !twin else {
        throw Self.error(
          .misuse, name, file: file,
          reason: twin ? "two migrations have this name" : "this cannot be the name of a migration",
          fix: "give each its own name")
      }
    }
    for (position, known) in applied.enumerated()
    where position >= names.count
      || names[position] != known
    {
      throw Self.difference(position, names, applied: applied, file: file)
    }
    appliedCount = applied.count
  }

  /// Returns the error for the first position where the names differ.
  private static func difference(
    _ position: Int, _ names: [String], applied: [String], file: String
  ) -> SQLiteError {
    let known = applied[position]
    if let place = names.firstIndex(of: known) {
      let before = names[position]
      return applied.contains(before)
        ? error(
          .schemaMismatch, known, file: file,
          reason: "it was applied as number \(position + 1), and is number \(place + 1) now",
          fix: "keep released migrations in their order")
        : error(
          .schemaMismatch, before, file: file,
          reason: "it comes before \(known.quoted), which was applied already",
          fix: "put new migrations at the end")
    }
    if let later = applied[position...].first(where: names.contains) {
      return error(
        .schemaMismatch, known, file: file,
        reason: "it was applied, and is missing, while \(later.quoted), which came later, is there",
        fix: "keep released migrations in the list")
    }
    return SQLiteError(
      .newerSchema,
      "Migrating the database in \(file) failed: it has the migration \(known.quoted), which "
        + "this version of the app does not know; update the app.")
  }

  private static func error(
    _ code: SQLiteError.Code, _ name: String, file: String, reason: String, fix: String
  ) -> SQLiteError {
    SQLiteError(
      code, "The migration \(name.quoted) of the database in \(file) failed: \(reason); \(fix).")
  }
}
