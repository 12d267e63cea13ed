internal import Evocation

/// The database files that this process has open.
final class OpenFiles: Sendable {
  /// The open files of this process.
  static let ofProcess = OpenFiles()

  /// The number of connections to each file.
  private let connections = Lock<[String: Int]>([:])

  /// Registers a connection to a file until the claim is released.
  ///
  /// `beforeFirst` opens and closes the file without SQLite. It runs before the first connection,
  /// while no other connection can be opened.
  func claim(_ path: String, beforeFirst: () throws -> Void = {}) rethrows -> Claim {
    try connections.withLock { connections in
      let count = connections[path] ?? 0
      if count == 0 { try beforeFirst() }
      connections[path] = count + 1
    }
    return Claim(path, self)
  }

  private func letGo(_ path: String) {
    connections.withLock { connections in
      let count = connections[path] ?? 1
      connections[path] = count == 1 ? nil : count - 1
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
