import Foundation

/// Another process that runs SQL on a database file, one transaction a line, until it is let go.
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
    // It has inherited a thread's signal mask, which may keep the mild signals from it.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Hands a statement over, and does not wait for it.
  func run(_ sql: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
  }
}
