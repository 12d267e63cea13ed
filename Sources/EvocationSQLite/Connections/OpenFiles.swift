internal import Evocation

/// The database files that this process has open, and which of them are one database's alone.
///
/// The system's locks tell processes apart, and not two databases of one process.
final class OpenFiles: Sendable {
  /// Those of the process.
  static let ofProcess = OpenFiles()

  private struct Use {
    /// The database that has the file to itself; nil when anybody may open it who shares it.
    let owner: ObjectIdentifier?
    var connections = 0
  }

  private let uses = Lock<[String: Use]>([:])

  /// Notes a connection to a file until the claim is released; nil where another database excludes it.
  ///
  /// What opens and closes the file beside SQLite is done before the first connection to it, while no
  /// other one can be opened.
  func claim(
    _ path: String, owner: ObjectIdentifier?, beforeFirst: () throws -> Void = {}
  ) rethrows -> Claim? {
    let isOpen = try uses.withLock { uses in
      var use = uses[path] ?? Use(owner: owner)
      guard use.owner == owner else { return false }
      if use.connections == 0 { try beforeFirst() }
      use.connections += 1
      uses[path] = use
      return true
    }
    return isOpen ? Claim(path, self) : nil
  }

  /// Whether this process has a file open.
  func isOpen(_ path: String) -> Bool { uses.withLock { $0[path] != nil } }

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
