import Evocation
internal import Foundation

extension SQLiteError {
  /// A sentence for the person who uses the app, without SQL, tables and paths.
  public var errorDescription: String? {
    (underlying as? SQLiteError)?.errorDescription ?? alert.rawValue
  }

  /// What fixes errors of this code, for the developer.
  public var recoverySuggestion: String? {
    switch code.storage {
    case .cannotOpen: "Check that the path names a file in a folder that exists and is writable."
    case .notADatabase: "Open another file, or move this one away."
    case .damaged: "Restore the file from a backup."
    case .readOnly:
      "Check the permissions of the file and its folder; write inside `write`, not `read`."
    case .busy: "Try again, or raise the configuration's busyTimeout."
    case .locked: "Try again after the other statement of this process has ended."
    case .full: "Free space on the disk, and try again."
    case .diskFailed: "Try again, and check the disk if it fails again."
    case .constraint: "Change the value that the description names, so that it fits the table."
    case .schemaMismatch:
      "Change the table in a migration, or the model back; keep released migrations as they are."
    case .newerSchema: "Update the app: a newer version of it wrote this file."
    case .migrationFailed: "Fix the error in `underlying`, and run the migrations again."
    case .misuse: "Correct the call or the SQL that the description names."
    case .targetExists: "Back up to another path."
    case .suspended: "Call resume(), or wait until the app is active."
    case .closed: "Open another SQLiteDatabase."
    case .other: "Look up `resultCode` among SQLite's result codes."
    }
  }

  private var alert: AlertText {
    switch code.storage {
    case .damaged, .notADatabase: .storageDamaged
    case .busy, .locked, .suspended: .storageBusy
    case .full: .storageFull
    case .newerSchema: .appOutdated
    case .cannotOpen, .readOnly, .diskFailed, .migrationFailed, .other: .storageFailed
    case .constraint: .alreadyExists
    case .schemaMismatch, .misuse, .targetExists, .closed: .appFailed
    }
  }
}
