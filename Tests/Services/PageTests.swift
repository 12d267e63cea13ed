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

  /// The same of a format that the tests have.
  private static func ownFormat(_ name: String) throws -> [String] {
    let body = try lines(of: "Tests/Services/Support/Formats.swift")
      .drop { !$0.hasPrefix("  static let \(name)") }.dropFirst().prefix { $0 != "  }()" }
    return body.filter { $0 != "    return format" }.map { String($0.dropFirst(4)) }
  }

  @Test func `The page shows the format of GraphQL that the tests run, word for word`() throws {
    let format = try Self.ownFormat("strawberry")
    #expect(format.count > 5)
    #expect(try Self.samples().contains(format))
  }

  @Test(arguments: ["djangoJSONAPI", "datasette", "fastAPITutorial", "eve", "strawberry"])
  func `A format of a service that the library does not know takes a screen`(name: String) throws {
    let lines = try Self.ownFormat(name).filter { !$0.hasPrefix("//") }
    #expect((5...24).contains(lines.count), "\(name) takes \(lines.count) lines")
  }

  @Test(arguments: ["let kinto:", "func djangoREST(", "let pocketBase:", "let jsonAPI:"])
  func `The page shows what the tests run, word for word`(name: String) throws {
    let format = try Self.format(name)
    #expect(format.count > 5)
    #expect(try Self.samples().contains(format))
  }
}
