import Foundation
import Harness

/// The registration of thirty models over HTTP and SQLite in a process that has just begun.
///
/// The file exists, as at each launch of an app but the first.
struct LaunchCases {
  private struct Times {
    let registered: Double
    let used: Double
  }

  private let path = Once {
    let scratch = try Scratch()
    _ = try Self.launch(scratch.path())
    return scratch
  }

  var all: [Case] {
    [
      Case("open a file, register 30 models", .nanoseconds, bar: .atMost(1e7)) { [path] in
        try await Self.launch(path.value.path()).registered
      },
      Case("open a file, register 30 models, find in each", .nanoseconds, bar: .atMost(2.5e7)) {
        [path] in try await Self.launch(path.value.path()).used
      },
    ]
  }

  /// Runs the program `launch` on a file.
  private static func launch(_ path: String) throws -> Times {
    let process = Process()
    let output = Pipe()
    let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    process.executableURL = own.deletingLastPathComponent().appending(path: "launch")
    process.arguments = [path]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let times = text.split(separator: " ").compactMap {
      Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    try expect(times.count == 2)
    return Times(registered: times[0], used: times[1])
  }
}
