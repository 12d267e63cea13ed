import Foundation
import TestTraits
import Testing

/// The page "Connecting your service", whose lines these tests run.
@Suite(.patient) struct PageTests {
  private static func lines(of path: String) throws -> [Substring] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The samples of the page, line by line.
  private static func samples() throws -> [[String]] {
    var samples: [[String]] = []
    var rest = try lines(of: "Sources/EvocationHTTP/EvocationHTTP.docc/Connecting.md")[...]
    while let start = rest.firstIndex(of: "```swift") {
      let sample = rest[(start + 1)...].prefix { $0 != "```" }
      samples.append(sample.map(String.init))
      rest = rest[sample.endIndex...].dropFirst()
    }
    return samples
  }

  /// The body of a format as the library has it, but for the line that returns it.
  private static func format(_ name: String) throws -> [String] {
    let body = try lines(of: "Sources/EvocationHTTP/Format/HTTPFormat+Presets.swift")
      .drop { !$0.hasPrefix("  public static \(name)") }.dropFirst().prefix { !$0.hasPrefix("  }") }
    return body.filter { $0 != "    return format" }.map { String($0.dropFirst(4)) }
  }

  @Test(arguments: ["let kinto:", "func djangoREST(", "let pocketBase:", "let jsonAPI:"])
  func `The page shows what the tests run, word for word`(name: String) throws {
    let format = try Self.format(name)
    #expect(format.count > 5)
    #expect(try Self.samples().contains(format))
  }
}
