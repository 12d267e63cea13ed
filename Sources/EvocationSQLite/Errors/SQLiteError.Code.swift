extension SQLiteError {
  /// The kind of failure; more may be added.
  public struct Code: Sendable, Hashable {
    private enum Storage: Sendable, Hashable {
      case cannotOpen, notADatabase, damaged, readOnly, busy, locked, full, constraint, diskFailed
      case schemaMismatch, newerSchema, migrationFailed, misuse, closed, targetExists
      case other(Int32)
    }

    private let storage: Storage

    private init(_ storage: Storage) {
      self.storage = storage
    }

    /// The file cannot be opened or made.
    public static var cannotOpen: Code { Code(.cannotOpen) }

    /// The file is something else than a database.
    public static var notADatabase: Code { Code(.notADatabase) }

    /// The file is a database whose content is damaged.
    public static var damaged: Code { Code(.damaged) }

    /// The file, or this access to it, does not allow writing.
    public static var readOnly: Code { Code(.readOnly) }

    /// Another connection held the database for longer than the busy timeout.
    public static var busy: Code { Code(.busy) }

    /// Something else in this process holds a table.
    public static var locked: Code { Code(.locked) }

    /// The disk, or what the database may take of it, is full.
    public static var full: Code { Code(.full) }

    /// The system failed to read or write the file, which may go well the next time.
    public static var diskFailed: Code { Code(.diskFailed) }

    /// A constraint of the table refuses the write.
    public static var constraint: Code { Code(.constraint) }

    /// A table does not have the model's columns, or a migration is not the one that was applied.
    public static var schemaMismatch: Code { Code(.schemaMismatch) }

    /// The file was written by a newer version of this library or of the app.
    public static var newerSchema: Code { Code(.newerSchema) }

    /// A migration failed and was taken back; the error's `underlying` says why.
    public static var migrationFailed: Code { Code(.migrationFailed) }

    /// The call cannot be carried out as it was made: wrong SQL, a wrong count of values.
    public static var misuse: Code { Code(.misuse) }

    /// A file is there already that a backup may not take the place of.
    public static var targetExists: Code { Code(.targetExists) }

    /// The database was closed.
    public static var closed: Code { Code(.closed) }

    /// Anything else, by SQLite's primary result code.
    public static func other(_ resultCode: Int32) -> Code { Code(.other(resultCode)) }
  }
}
