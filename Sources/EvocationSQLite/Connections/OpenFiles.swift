internal import Evocation

/// The database files that this process has open, and which of them belong to one database alone.
///
/// The system's locks separate processes, but not two databases of one process.
final class OpenFiles: Sendable {
  /// The open files of this process.
  static let ofProcess = OpenFiles()

  /// How this process has a file open.
  struct Use {
    /// The clock of the database that has the file to itself; nil if databases share it.
    let owner: CommitClock?
    fileprivate var connections = 0
  }

  private let uses = Lock<[String: Use]>([:])

  /// Registers a connection to a file until the claim is released; nil if another database excludes
  /// it.
  ///
  /// `beforeFirst` opens and closes the file without SQLite. It runs before the first connection,
  /// while no other connection can be opened.
  func claim(
    _ path: String, owner: CommitClock?, beforeFirst: () throws -> Void = {}
  ) rethrows -> Claim? {
    let isOpen = try uses.withLock { uses in
      var use = uses[path] ?? Use(owner: owner)
      guard use.owner === owner else { return false }
      if use.connections == 0 { try beforeFirst() }
      use.connections += 1
      uses[path] = use
      return true
    }
    return isOpen ? Claim(path, self) : nil
  }

  /// Returns how this process has a file open; nil if it has not.
  func use(of path: String) -> Use? { uses.withLock { $0[path] } }

  private func letGo(_ path: String) {
    uses.withLock { uses in
      guard var use = uses[path] else { return }
      use.connections -= 1
      uses[path] = use.connections == 0 ? nil : use
    }
  }

  /// One connection's use of a file.
  final class Claim: Sendable {
    private let path: String
    private let files: OpenFiles

    fileprivate init(_ path: String, _ files: OpenFiles) {
      self.path = path
      self.files = files
    }

    deinit { files.letGo(path) }
  }
}
