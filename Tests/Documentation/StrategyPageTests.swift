import Evocation
import Foundation
import Testing

/// Whose request a task answers.
private enum Session {
  @TaskLocal static var user = ""
}

@Suite struct StrategyPageTests {
  /// The ready-made strategies in the order of the page.
  private let strategies: [(String, Strategy)] = [
    (".default()", .default()),
    (".remoteFirst", .remoteFirst),
    (".localFirst", .localFirst),
    (".remoteOnly", .remoteOnly),
    (".localOnly", .localOnly),
    (".cacheFirst(maxAge:)", .cacheFirst(maxAge: .seconds(60))),
    (".staleWhileRevalidate(maxAge:)", .staleWhileRevalidate(maxAge: .seconds(60))),
    (".offlineFirst", .offlineFirst),
    (
      "Strategy.Rule(fallback: .local, fallsBack: .onTransientError)",
      Strategy(Strategy.Rule(fallback: .local, fallsBack: .onTransientError))
    ),
  ]

  private func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent("Documentation/Strategies.md"), encoding: .utf8
    )
  }

  @Test func `the tables of the page are what the strategies say of themselves`() throws {
    let tables = strategies.map { "## `\($0)`\n\n\($1.explain())\n" }.joined(separator: "\n")
    #expect(try page().hasSuffix(tables), "The page should end with:\n\(tables)")
  }

  @Test func `reads are told apart by a task-local value that the app names`() {
    let configuration = Evocation.Configuration(joinKey: { Session.user })
    #expect(Session.$user.withValue("Ann") { configuration.joinKey?() } == "Ann")
  }

  @Test func `the file of the page is a strategy`() throws {
    let text = try page()
    let start = try #require(text.range(of: "```json\n")?.upperBound)
    let end = try #require(text.range(of: "```", range: start..<text.endIndex)?.lowerBound)
    let strategy = try Strategy(json: Data(text[start..<end].utf8))
    #expect(strategy[.remove].retry?.attempts == 3)
  }
}
