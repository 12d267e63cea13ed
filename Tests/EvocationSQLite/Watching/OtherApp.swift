#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import Fixtures
  import Foundation
  import TestSupport
  import Testing

  /// An app's extension: a process of its own that has the app's file open, and is told what to do.
  final class OtherApp: Sendable {
    private let process: ChildProcess
    private let heard = Lock("")

    /// Starts it on a file.
    init(_ path: String) async throws {
      process = try Child.start("share", path)
      #expect(await says("ready") == "ready")
    }

    /// Tells it what to do.
    func does(_ command: String) throws { try process.write(command + "\n") }

    /// Waits for a line that begins so, and gives it; lines that begin otherwise are kept.
    func says(_ beginning: String) async -> String {
      while true {
        if let line = heard.withLock({ Self.take(beginning, from: &$0) }) { return line }
        let text = await process.text { $0.contains("\n") }
        guard !text.isEmpty else { return "nothing" }
        heard.withLock { $0 += text }
      }
    }

    /// Waits until its service is asked, and gives the number by which it is answered.
    func isAsked(_ question: String) async throws -> Int {
      let line = await says("asked")
      #expect(line.hasSuffix(" \(question)"))
      return try #require(Int(line.split(separator: " ").dropFirst().first ?? ""))
    }

    /// Answers its service.
    func isAnswered(_ number: Int, _ notes: String) throws { try does("answer \(number) \(notes)") }

    private static func take(_ beginning: String, from text: inout String) -> String? {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      // What follows the last end of a line is not a whole one.
      guard let index = lines.dropLast().firstIndex(where: { $0.hasPrefix(beginning) }) else {
        return nil
      }
      let line = String(lines.remove(at: index))
      text = lines.joined(separator: "\n")
      return line
    }
  }
#endif
