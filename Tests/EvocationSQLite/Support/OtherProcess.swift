#if os(macOS) || os(Linux)
  import Fixtures
  import Foundation

  /// Another process that runs SQL on a database file, one transaction a line.
  ///
  /// It ends when it is let go.
  final class OtherProcess: Sendable {
    private static let script = """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1], timeout=float(sys.argv[2]), isolation_level=None)
      print("ready", flush=True)
      for line in sys.stdin:
          try:
              print("done", connection.execute(line).fetchall(), flush=True)
          except Exception as error:
              print("failed", error, flush=True)
      """

    private let process: ChildProcess

    /// Starts it; a statement waits for others for so many seconds.
    init(_ path: String, timeout: Int = 600) async throws {
      process = try ChildProcess(
        URL(filePath: "/usr/bin/env"), ["python3", "-c", Self.script, path, "\(timeout)"])
      _ = await line()
    }

    /// Runs a statement, and gives what the process says of it.
    @discardableResult
    func run(_ sql: String) async throws -> String {
      try process.write(sql + "\n")
      return await line()
    }

    private func line() async -> String {
      await process.text { $0.hasSuffix("\n") }
    }
  }
#endif
