import Foundation
import Testing

/// The texts that are expected, in the folder `Expected` beside this file.
enum Expected {
  /// Fails where a transcript differs from the text of its name, and says at which line.
  ///
  /// With `EVOCATION_ACCEPT` set, the transcript is what is expected from now on.
  static func compare(_ transcript: String, _ name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Expected/\(name).txt")
    if ProcessInfo.processInfo.environment["EVOCATION_ACCEPT"] != nil {
      return try transcript.write(to: file, atomically: true, encoding: .utf8)
    }
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard let difference = difference(expected, transcript) else { return }
    Issue.record(
      """
      The way differs from Tests/Golden/Expected/\(name).txt, \(difference)
      If it should: EVOCATION_ACCEPT=1 scripts/check Golden --filter GoldenTraceTests
      """)
  }

  /// The first line that differs, with the lines around it; nil where none does.
  static func difference(_ expected: String, _ actual: String) -> String? {
    guard expected != actual else { return nil }
    let (left, right) = (lines(expected), lines(actual))
    let at = zip(left, right).prefix { $0 == $1 }.count
    let shown = max(0, at - 3)..<at
    let before = left[shown].map { "    \($0)" }
    let expected = left[at...].prefix(3).map { "  - \($0)" }
    let actual = right[at...].prefix(3).map { "  + \($0)" }
    return (["line \(at + 1), expected (-) and actual (+):"] + before + expected + actual)
      .joined(separator: "\n")
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
