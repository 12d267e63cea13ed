import Foundation

/// Another process that runs SQL on a database file, one transaction per line, until it is released.
final class OtherProcess: Sendable {
  private static let script = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
    for line in sys.stdin:
        connection.execute(line).fetchall()
    """

  private let process = Process()
  private let input = Pipe()

  init(_ path: String) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, path]
    process.standardInput = input
    try process.run()
  }

  deinit {
    // The process has inherited a thread's signal mask, which may block all signals that can be blocked.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Sends a statement to the process, and does not wait for it.
  func run(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
  }
}
