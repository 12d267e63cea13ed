import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing

/// The page on troubleshooting has every error that the modules throw, in the errors' own words.
@Suite(.patient) struct TroubleshootingPageTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let page = root.appending(
    path: "Sources/Evocation/Evocation.docc/Troubleshooting.md")

  /// The page from its first section of errors on.
  private func sections() async throws -> String {
    let rows = try await ErrorRow.all()
    let sections = ErrorRow.Area.allCases.map { area in
      "## \(area.rawValue)\n\n"
        + rows.filter { $0.area == area }.map(\.text).joined(separator: "\n")
    }
    return sections.joined(separator: "\n")
  }

  @Test func `the errors of the page are what the errors say of themselves`() async throws {
    let (sections, page) = (
      try await sections(), try String(contentsOf: Self.page, encoding: .utf8)
    )
    if ProcessInfo.processInfo.environment["EVOCATION_ACCEPT"] != nil {
      let start = page.range(of: "\n## \(ErrorRow.Area.settingUp.rawValue)\n")?.lowerBound
      let head = page[..<(start ?? page.endIndex)]
      try (head + "\n" + sections).write(to: Self.page, atomically: true, encoding: .utf8)
      return
    }
    #expect(
      page.hasSuffix(sections),
      """
      The page has other texts than the errors. If these are right: \
      EVOCATION_ACCEPT=1 scripts/check Documentation --filter TroubleshootingPageTests
      """)
  }

  @Test func `an app has texts of its own`() {
    func text(for error: any Error) -> String {
      switch error {
      case EvocationError.offline, EvocationError.timedOut: "Keine Verbindung."
      case let error as HTTPError where error.code == .unauthorized: "Bitte melde dich an."
      default: error.localizedDescription
      }
    }
    #expect(text(for: EvocationError.offline(model: "Car")) == "Keine Verbindung.")
    #expect(text(for: HTTPError(.unauthorized, status: 401)) == "Bitte melde dich an.")
    #expect(text(for: EvocationError.unsentWrites(1)) == AlertText.unsent.rawValue)
  }

  @Test func `each example is the case that it stands for`() async throws {
    for each in EvocationErrorCase.allCases {
      #expect((each.row.error as? EvocationError).map(EvocationErrorCase.init) == each)
    }
    for each in StrategyErrorCase.allCases {
      #expect((each.row.error as? StrategyError).map(StrategyErrorCase.init) == each)
    }
    for each in CacheErrorCase.allCases {
      #expect((each.row.error as? CacheError).map(CacheErrorCase.init) == each)
    }
    for row in try await SQLiteErrorCase.rows() {
      let found = SQLiteErrorCase(of: row.error).map { "SQLiteError.Code.\($0)" }
      #expect(found == row.name)
    }
  }

  @Test func `each code of HTTP has a row`() throws {
    let file = Self.root.appending(path: "Sources/EvocationHTTP/Errors/HTTPError.swift")
    let codes = try String(contentsOf: file, encoding: .utf8)
      .matches(of: /public static let (\w+) = Code/).map { String($0.output.1) }
    let rows = HTTPRow.all.compactMap { ($0.error as? HTTPError)?.code.rawValue }
    #expect(codes.count > 20)
    #expect(rows.sorted() == codes.sorted())
  }

  @Test func `each error has a sentence for an alert and a fix, without a model's values`()
    async throws
  {
    for row in try await ErrorRow.all() {
      let alert = (row.error as any Error).localizedDescription
      #expect(AlertText(rawValue: alert) != nil, "\(row.name): \(alert)")
      let fix = try #require(row.error.recoverySuggestion, "\(row.name)")
      #expect(fix.count > 8 && fix.last.map { ".?".contains($0) } == true, "\(row.name): \(fix)")
      for text in [alert, fix] {
        #expect(!text.contains(ErrorRow.value), "\(row.name): \(text)")
      }
      for word in ["/", "SELECT", "https", "\""] {
        #expect(!alert.contains(word), "\(row.name): \(alert)")
      }
    }
  }
}
