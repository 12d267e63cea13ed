#if os(macOS) || os(Linux)
  import Fixtures
  import Foundation
  import TestSupport

  /// The helper of these tests that runs as a process of its own.
  enum Child {
    /// Where it was built: beside the tests.
    static var path: String { ChildProcess.built("SQLiteChild").path }

    /// How often a test kills it: so often, or as many times more as random tests try.
    ///
    /// It says so, because `scripts/nightly` adds them up.
    static func killRounds(_ name: String, _ count: Int) -> Int {
      let count = Trials.count(count)
      print("\(name): \(count) kills")
      return count
    }

    /// Starts it, in one of its modes.
    static func start(_ mode: String, _ path: String) throws -> ChildProcess {
      try ChildProcess(URL(filePath: Self.path), [mode, path])
    }

    /// Starts it to write by the outbox, and to send.
    static func send(
      _ task: SendingTask, _ path: String, by mode: String = "send"
    ) throws -> ChildProcess {
      let json = String(decoding: try JSONEncoder().encode(task), as: UTF8.self)
      return try ChildProcess(URL(filePath: Self.path), [mode, path, json])
    }

    /// Starts it to sign out of two files, and to end itself meanwhile.
    static func signOut(_ task: SigningOutTask) throws -> ChildProcess {
      let json = String(decoding: try JSONEncoder().encode(task), as: UTF8.self)
      return try ChildProcess(URL(filePath: Self.path), ["sign-out", task.paths[0], json])
    }

    /// Runs a line of shell, which finds the helper as `$0` and the values as `$1`, `$2` and so on.
    static func shell(_ line: String, _ values: String...) throws -> ChildProcess {
      try ChildProcess(URL(filePath: "/bin/sh"), ["-c", line, path] + values)
    }
  }

  extension ChildProcess {
    /// All that it says until it ends.
    var text: String {
      get async { await text { _ in false } }
    }
  }
#endif
