import Evocation
import Foundation
import Testing

/// What the page on stability says, against the package.
@Suite struct StabilityPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `the supported Swift and systems are those of the manifest`() throws {
    let (page, manifest) = (
      try text("Sources/Evocation/Evocation.docc/Stability.md"), try text("Package.swift")
    )
    #expect(manifest.hasPrefix("// swift-tools-version: 6.2 "))
    #expect(page.contains("| Swift | 6.2 (Xcode 26)"))
    #expect(
      manifest.contains(
        "platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)]"))
    #expect(page.contains("Linux, macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2"))
    #expect(!manifest.contains(".package("))
    #expect(page.contains("| dependencies | none;"))
  }

  @Test func `an older version refuses a newer field of a strategy`() {
    let json = Data(#"{"find": {"target": "remote", "newer": true}}"#.utf8)
    #expect(throws: StrategyError.self) { try Strategy(json: json) }
  }

  @Test func `a trace keeps the names of its fields`() throws {
    let trace = Evocation.Trace(model: "Car", call: "find")
    let json = String(decoding: try JSONEncoder().encode(trace), as: UTF8.self)
    for field in ["model", "call", "steps"] { #expect(json.contains("\"\(field)\":")) }
    #expect(try JSONDecoder().decode(Evocation.Trace.self, from: Data(json.utf8)) == trace)
  }

  @Test func `what the page names as checks is there`() throws {
    let manager = FileManager.default
    func names(_ folder: String) throws -> Set<String> {
      Set(try manager.contentsOfDirectory(atPath: Self.root.appending(path: folder).path))
    }
    let transcripts = try names("Tests/Golden/Expected")
    #expect(transcripts.isSuperset(of: ["cache.txt", "find.txt", "outbox.txt", "page.txt"]))
    #expect(try names("Fixtures/databases").isSuperset(of: ["format-2.sqlite", "lists-2.sqlite"]))
    #expect(try text(".ci/run").contains("scripts/public-api --check"))
  }
}
