import Foundation

/// Another process that runs SQL on a database file, one transaction a line.
///
/// It ends when it is let go.
final class OtherProcess: Sendable {
  private static let script = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], timeout=600, isolation_level=None)
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            print("done", connection.execute(line).fetchall(), flush=True)
        except Exception as error:
            print("failed", error, flush=True)
    """

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ path: String) async throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script, path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = await line()
  }

  deinit {
    // It has inherited a thread's signal mask, which may keep the mild signals from it.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Runs a statement, and gives what the process says of it.
  @discardableResult
  func run(_ sql: String) async throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
    return await line()
  }

  private func line() async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [output] in
        var bytes = Data()
        while bytes.last != 0x0A {
          let more = output.fileHandleForReading.availableData
          if more.isEmpty { break }
          bytes += more
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
