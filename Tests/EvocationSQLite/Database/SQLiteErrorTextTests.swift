import Evocation
import Foundation
import Testing

@testable import EvocationSQLite

/// What an alert says of a failed file, and which fix the developer reads.
@Suite struct SQLiteErrorTextTests {
  private static let cases: [(SQLiteError.Code, AlertText, String)] = [
    (
      .cannotOpen, .storageFailed,
      "Check that the path names a file in a folder that exists and is writable."
    ),
    (.notADatabase, .storageDamaged, "Open another file, or move this one away."),
    (.damaged, .storageDamaged, "Restore the file from a backup."),
    (
      .readOnly, .storageFailed,
      "Check the permissions of the file and its folder; write inside `write`, not `read`."
    ),
    (.busy, .storageBusy, "Try again, or raise the configuration's busyTimeout."),
    (.locked, .storageBusy, "Try again after the other statement of this process has ended."),
    (.full, .storageFull, "Free space on the disk, and try again."),
    (
      .constraint, .alreadyExists,
      "Change the value that the description names, so that it fits the table."
    ),
    (.diskFailed, .storageFailed, "Try again, and check the disk if it fails again."),
    (
      .schemaMismatch, .appFailed,
      "Change the table in a migration, or the model back; keep released migrations as they are."
    ),
    (.newerSchema, .appOutdated, "Update the app: a newer version of it wrote this file."),
    (
      .migrationFailed, .storageFailed,
      "Fix the error in `underlying`, and run the migrations again."
    ),
    (.misuse, .appFailed, "Correct the call or the SQL that the description names."),
    (.targetExists, .appFailed, "Back up to another path."),
    (.suspended, .storageBusy, "Call resume(), or wait until the app is active."),
    (.closed, .appFailed, "Open another SQLiteDatabase."),
    (.other(22), .storageFailed, "Look up `resultCode` among SQLite's result codes."),
  ]

  @Test func `an alert has no path and no SQL, and the developer a fix`() {
    for (code, alert, fix) in Self.cases {
      let error = SQLiteError(code, "Writing the table \"car\" in \"/cars.sqlite\" failed.")
      #expect((error as any Error).localizedDescription == alert.rawValue, "\(code)")
      #expect(error.recoverySuggestion == fix)
    }
  }

  @Test func `a migration that met a full disk says so`() {
    let error = SQLiteError(
      .migrationFailed, "It failed.", underlying: SQLiteError(.full, "It is full."))
    #expect((error as any Error).localizedDescription == "The storage of this device is full.")
    #expect(
      error.recoverySuggestion == "Fix the error in `underlying`, and run the migrations again.")
  }
}
