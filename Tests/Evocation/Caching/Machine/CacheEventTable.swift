import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import CoreSupport

/// Brings the situations of the event table about, and carries its actions out.
struct CacheEventTable {
  struct Row: Sendable, CustomTestStringConvertible {
    let situation: String
    let action: String
    let states: [String]
    var testDescription: String { "\(situation): \(action)" }
  }

  private struct State {
    var fails = false
    var isEmpty = false
    var isHeld = false
    var successes = 0
  }

  let repository: CacheRepository<FakeSource>
  private let clock = ManualClock()
  private let source: FakeSource
  private let state: Lock<State>
  private let gate: Gate

  init(_ row: Row) async throws {
    let (state, gate) = (Lock(State()), Gate())
    (self.state, self.gate) = (state, gate)
    source = FakeSource(
      maxAge: .seconds(60), maxUsableAge: .seconds(3600),
      automaticallyRefresh: row.action.contains("automatically")
    ) { _ in
      if state.withLock({ $0.isHeld }) { try await gate.pass() }
      return try state.withLock { state in
        if state.fails { throw Trouble.fetching }
        state.successes += 1
        return state.isEmpty ? [] : ["v\(state.successes)"]
      }
    }
    repository = CacheRepository(source, ledger: InMemoryFetchLedger(), clock: clock)
    repository.requirements = "words"
    try await bring(about: row.situation)
    state.withLock { state in
      state.fails = row.action.contains("fetch fails")
      state.isEmpty = row.action.contains("nothing is there")
      state.isHeld = row.action.contains("in the meantime") || row.action.contains("cancelled")
    }
    if row.action.contains("save fails") {
      source.onSave { words in if words != ["end"] { throw Trouble.saving } }
    }
  }

  private func bring(about situation: String) async throws {
    guard situation != "never fetched" else { return }
    try await repository.refresh()
    switch situation {
    case "stale": clock.advance(by: .seconds(120))
    case "too old to be shown": clock.advance(by: .seconds(7200))
    case "failed before":
      state.withLock { $0.fails = true }
      try await repository.refresh(force: true)
    default: break
    }
  }

  /// Carries an action out, of those that do not begin to observe.
  func act(_ action: String) async throws {
    switch action {
    case "it is validated": await repository.validate()
    case "local data change": source.write(["edited"])
    case "local data are removed": source.write([])
    case "the app puts something in": try await repository.update(["mine"])
    case _ where action.hasPrefix("it is cleared"): try await repository.clear()
    case "it is invalidated": try await repository.invalidate()
    case "two minutes pass": clock.advance(by: .seconds(120))
    case "two hours pass": clock.advance(by: .seconds(7200))
    case "other requirements are set": repository.requirements = "others"
    case _ where action.hasPrefix("it is refreshed"): try await refresh(action)
    default: Issue.record("There is no such action: \(action).")
    }
  }

  private func refresh(_ action: String) async throws {
    let isForced = action.contains("whatever")
    guard state.withLock({ $0.isHeld }) else {
      try await repository.refresh(force: isForced)
      return
    }
    let refreshing = Task { try await repository.refresh(force: isForced) }
    await gate.arrivals(1)
    if action.contains("cancelled") { refreshing.cancel() }
    if action.contains("puts something in") { try await repository.update(["mine"]) }
    if action.contains("cleared") { try await repository.clear() }
    if action.contains("local data change") { source.write(["edited"]) }
    // What is observed comes in its own time; the fetch is let go once that was shown.
    for await state in repository.observe()
    where !action.contains("local") || state.cache == ["edited"] { break }
    gate.open()
    _ = try await refreshing.value
  }
}

extension CacheEventTable {
  /// The table of the page.
  static func rows() throws -> [Row] {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/Evocation/Evocation.docc/Caching.md"),
      encoding: .utf8)
    let start = page.range(of: "| situation |")?.lowerBound ?? page.endIndex
    let blank = CharacterSet(charactersIn: " `")
    return page[start...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }.dropFirst(2)
      .map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let states = cells.count > 2 ? cells[2].components(separatedBy: "→") : []
        return Row(
          situation: cells.first ?? "", action: cells.count > 1 ? cells[1] : "",
          states: states.map { $0.trimmingCharacters(in: blank) }.filter { !$0.isEmpty })
      }
  }
}
