import CHeap
import Foundation

/// What the process has allocated.
package enum Memory {
  /// The bytes that were allocated and not yet given back; 0 where it cannot be told.
  package static var inUse: Int { Int(heap_in_use()) }

  /// Runs `body`, and gives by how many bytes the process was larger meanwhile than before, at most.
  ///
  /// It asks Linux for what is resident in memory, and is 0 elsewhere.
  package static func peak(during body: () async throws -> Void) async throws -> Int {
    heap_trim()
    let before = status("VmRSS:")
    // Five sets the mark of the highest back to where it is.
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    try await body()
    return max(0, status("VmHWM:") - before)
  }

  private static func status(_ name: String) -> Int {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = lines.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
  }
}
