import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// The four ways through the package, as an app sees them, against texts.
///
/// They go through the public API and a file's tables, and time stands still: so a text changes only
/// where behaviour does. `scripts/sizes --ways` measures what each of them passes through.
@Suite(.patient) struct GoldenTraceTests {
  struct Note: Codable, Identifiable, Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var text: String
    var description: String { "\(id) \(text)" }
  }

  private struct Unreachable: ClassifiedError {
    var failureKind: FailureKind { .transient }
  }

  private let seen = Transcript()
  private let folder: TemporaryFolder
  private let clock = ManualClock()
  private let evocation: Evocation
  private let local: SQLiteRepository<Note>

  init() throws {
    let (seen, clock) = (seen, clock)
    folder = try TemporaryFolder()
    var configuration = Evocation.Configuration(
      clock: clock, onTrace: { seen.say("traces", "\($0)") },
      outbox: .init(sendsAutomatically: false, connectivity: nil))
    configuration.chance = { 0.5 }
    configuration.activity = nil
    evocation = Evocation(configuration: configuration)
    local = try SQLiteRepository<Note>(SQLiteDatabase(path: folder.path()))
  }

  /// Registers a remote, whose requests are noted.
  private func register(
    _ strategy: Strategy, _ script: @escaping @Sendable (Criteria?) async throws -> [Note]
  ) {
    let seen = seen
    let remote = RepositoryMock<Note> { call in
      let key = IdempotencyKey.current ?? "none"
      switch call {
      case .find(let criteria):
        seen.say("requests", "find \(criteria.tag)")
        return try await script(criteria)
      case .storeOne(let note):
        seen.say("requests", "storeOne \(note), key: \(key)")
        _ = try await script(nil)
        return [note]
      default:
        seen.say("requests", "\(call), which nobody expects")
        throw Unreachable()
      }
    }
    evocation.register(for: Note.self)
      .repository(remote: remote).repository(local: local).strategy(strategy)
  }

  private func observeStore() -> Evocation.Observation {
    let seen = seen
    return local.observeChanges { seen.say("changes of the store", $0) }
  }

  /// Waits until the last line of a section says this.
  private func sees(_ words: String, in section: String = "states") async throws {
    try await eventually(words) { seen.lines(section).last?.contains(words) == true }
  }

  @Test func `A find by callback falls back`() async throws {
    register(.remoteFirst) { _ in throw Unreachable() }
    try await local.store([Note(id: 1, text: "a"), Note(id: 2, text: "b")])
    let observation = observeStore()
    defer { observation.cancel() }
    let seen = seen
    await evocation.find(model: Note.self, criteria: ["text": "b"]) { seen.say("result", $0) }.value
    try Expected.compare(seen.text, "find")
  }

  @Test func `A write is sent by the outbox until it is acknowledged`() async throws {
    let (seen, attempts) = (seen, Lock(0))
    register(.offlineFirst) { _ in
      guard
        attempts.withLock({
          $0 += 1; return $0
        }) > 1
      else { throw Unreachable() }
      return []
    }
    let observation = observeStore()
    defer { observation.cancel() }
    let told = evocation.outbox.events()
    let events = Task {
      for await event in told { seen.say("events of the outbox", "\(event)") }
    }
    defer { events.cancel() }
    seen.say("result", await evocation.storeOne(Note(id: 1, text: "a")))
    try await sayEntries("queued")
    seen.say("flush", "\(await evocation.outbox.flush())")
    try await sayEntries("after the first attempt")
    clock.advance(by: .seconds(60))
    seen.say("flush", "\(await evocation.outbox.flush())")
    try await sayEntries("acknowledged")
    seen.say("kept", "\(try await local.find(Criteria()).value)")
    try await sees("sent(", in: "events of the outbox")
    try Expected.compare(seen.text, "outbox")
  }

  private func sayEntries(_ moment: String) async throws {
    seen.say("entries", "-- \(moment)")
    for entry in try await evocation.outbox.entries(of: Note.self) { seen.say("entries", entry) }
    seen.say("status", "\(moment): \(try await evocation.outbox.status())")
  }

  @Test func `An observed cache fetches for the first time`() async throws {
    let gate = Gate()
    register(.remoteFirst) { _ in
      try await gate.pass()
      return [Note(id: 1, text: "a"), Note(id: 2, text: "b")]
    }
    let changes = observeStore()
    defer { changes.cancel() }
    let seen = seen
    let cache = evocation.cache(Note.self, maxAge: .seconds(60))
    cache.requirements = Criteria().sorted(by: "id")
    let observation = cache.observe { state in
      seen.say("states", state, state.cache.map { "\($0)" } ?? "nothing")
    }
    defer { observation.cancel() }
    await gate.arrivals(1)
    try await sees("refreshing")
    gate.open()
    try await sees("[1 a")
    clock.advance(by: .seconds(5))
    try await local.update([Note(id: 1, text: "c")])
    try await sees("[1 c")
    try Expected.compare(seen.text, "cache")
  }

  @Test func `A list goes to its next page`() async throws {
    let gate = Gate()
    register(.remoteFirst) { criteria in
      try await gate.pass()
      return try await InMemoryRepository((1...5).map { Note(id: $0, text: "a") })
        .find(criteria ?? Criteria()).value
    }
    let changes = observeStore()
    defer { changes.cancel() }
    let seen = seen
    let list = evocation.pagingCache(Note.self, pageSize: 2, maxAge: .seconds(60))
    list.requirements = Criteria().sorted(by: "id")
    let observation = list.observe { state in
      let page = state.cache.map { "\($0.cache) of \($0.count ?? -1)" }
      seen.say("states", state, page ?? "nothing")
    }
    defer { observation.cancel() }
    for page in 1...3 {
      async let result = page == 1 ? nil : list.goToNextPage()
      await gate.arrivals(page)
      try await sees(page == 1 ? "refreshing" : "loading")
      gate.letOneThrough()
      if let result = await result { seen.say("results", "\(result)") }
      try await sees("\(min(2 * page, 5)) a]")
    }
    try Expected.compare(seen.text, "page")
  }
}
