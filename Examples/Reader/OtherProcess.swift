import Fixtures
import Foundation

/// Another process on the reader's file, which watches it, and all that it has said.
struct OtherProcess {
  private let process: ChildProcess
  private var heard = ""

  init(in folder: URL) throws {
    process = try ChildProcess(
      ChildProcess.built("reader"), ["--watch", "--folder", folder.path])
  }

  /// Waits for a line and prints it; returns false if the process has ended without it.
  mutating func says(_ line: String) async -> Bool {
    while !heard.contains(line) {
      let text = await process.text { $0.contains("\n") }
      guard !text.isEmpty else {
        print("  ✗ not the other process says: \(line)")
        return false
      }
      heard += text
    }
    print("  the other process says: \(line)")
    return true
  }
}
