import CHeap
import Foundation

/// The memory that the process has allocated.
package enum Memory {
  /// The bytes that are allocated and not yet released; 0 on systems that do not report them.
  package static var inUse: Int { Int(heap_in_use()) }

  /// Runs `body`, and returns by how many bytes the process grew at most while it ran.
  ///
  /// It reads the resident memory from Linux, and is 0 on other systems.
  package static func peak(during body: () async throws -> Void) async throws -> Int {
    heap_trim()
    let before = status("VmRSS:")
    // The value 5 resets the recorded peak to the current value.
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
