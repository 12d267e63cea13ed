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

  private static let pages = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Evocation/Evocation.docc")

  private static let file = pages.appendingPathComponent("StrategyTables.md")

  @Test func `the tables of the page are what the strategies say of themselves`() throws {
    let tables = strategies.map { "## `\($0)`\n\n\($1.explain())\n" }.joined(separator: "\n")
    let page = try String(contentsOf: Self.file, encoding: .utf8)
    if ProcessInfo.processInfo.environment["EVOCATION_ACCEPT"] != nil {
      let start = page.range(of: "## `.default()`")?.lowerBound ?? page.endIndex
      return try (page[..<start] + tables).write(to: Self.file, atomically: true, encoding: .utf8)
    }
    #expect(
      page.hasSuffix(tables),
      """
      The page has other tables than the strategies print. If these are right: \
      EVOCATION_ACCEPT=1 scripts/check Documentation --filter StrategyPageTests
      """)
  }

  @Test func `reads are told apart by a task-local value that the app names`() {
    let configuration = Evocation.Configuration(joinKey: { Session.user })
    #expect(Session.$user.withValue("Ann") { configuration.joinKey?() } == "Ann")
  }

  @Test func `the file of the page is a strategy`() throws {
    let text = try String(
      contentsOf: Self.pages.appendingPathComponent("Strategies.md"), encoding: .utf8)
    let start = try #require(text.range(of: "```json\n")?.upperBound)
    let end = try #require(text.range(of: "```", range: start..<text.endIndex)?.lowerBound)
    let strategy = try Strategy(json: Data(text[start..<end].utf8))
    #expect(strategy[.remove].retry?.attempts == 3)
  }

  @Test func `a strategy has one rule for reads and one for writes`() throws {
    let strategy = try Strategy(
      reads: .init(target: .remote, fallback: .local, synchronize: .mirror),
      writes: .init(target: .local, synchronize: .outbox))
    print(strategy.explain())
    #expect(strategy[.find].synchronize == .mirror && strategy[.remove].synchronize == .outbox)
  }
}
