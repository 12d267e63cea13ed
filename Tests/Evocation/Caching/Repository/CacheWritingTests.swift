import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationValues

/// What the app itself does to a cache.
@Suite(.patient) struct CachingWritingTests {
  private let bench = CacheBench()

  @Test func `What the app puts in counts as freshly fetched, and is shown to all`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60), automaticallyRefresh: false)
    let (one, other) = (bench.repository(source), bench.repository(source))
    var watch = Watch(other.observe())
    #expect(await watch.next() == "no")
    try await one.update(["mine"])
    let state = try #require(await watch.state())
    #expect(state.words == "yes/mine")
    #expect(state.fetchedAt == bench.clock.date)
    #expect(source.saves == [["mine"]])
    #expect(try await bench.ledger.record(for: "words")?.fetchedAt == bench.clock.date)
    #expect(try await one.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test(arguments: [30.0, 90, -30])
  func `A value that the app dates is as old as its date says, and stale by one in the future`(
    _ age: Double
  ) async throws {
    let repository = bench.repository(FakeSource(maxAge: .seconds(60)))
    let date = bench.clock.date - age
    try await repository.update(["mine"], fetchedAt: date)
    #expect(try await bench.ledger.record(for: "words")?.fetchedAt == date)
    #expect(try await repository.refresh() == (age == 30 ? .skipped(.cacheNotTooOld) : .successful))
  }

  @Test func `A stale value that the app dates is shown to observers, and then fetched`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60)) { ["v\($0)"] }
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    try await repository.update(["mine"], fetchedAt: bench.clock.date - 59)
    #expect(await watch.next() == "yes/mine")
    try await repository.update(["old"], fetchedAt: bench.clock.date - 61)
    #expect(
      await watch.next(3)
        == ["yes/old/stale", "yes/old/stale, refreshing", "yes/v2/just refreshed"])
  }

  @Test func `An update of a stale cache is one state, and starts no refresh`()
    async throws
  {
    let source = FakeSource(maxAge: .seconds(60)) { count in
      guard count == 1 else { throw Trouble.fetching }
      return ["v\(count)"]
    }
    let repository = try await bench.fetched(source)
    bench.clock.advance(by: .seconds(61))
    var watch = Watch(repository.observe())
    #expect(
      await watch.next(3)
        == ["yes/v1/stale", "yes/v1/stale, refreshing", "yes/v1/stale, error fetching"])
    try await repository.update(["mine"])
    #expect(await watch.next() == "yes/mine")
    source.write(["end"])
    #expect(await watch.next() == "yes/end")
    #expect(source.fetches == 2)
  }

  @Test func `Nothing put in is a cache cleared, for all who observe`() async throws {
    let source = FakeSource(automaticallyRefresh: false)
    let (one, other) = (try await bench.fetched(source), bench.repository(source))
    var watch = Watch(other.observe())
    #expect(await watch.next() == "yes/v1")
    try await one.update(nil)
    #expect(await watch.next() == "no")
    #expect(source.deletedTags == ["words"])
    #expect(try await bench.ledger.record(for: "words") == nil)
    #expect(try await other.refresh() == .successful)
    #expect(
      await watch.next(2)
        == [
          "no/refreshing for the first time",
          "yes/v2/just finished the first fetch, just refreshed",
        ])
    try await one.clear()
    #expect(await watch.next() == "no")
  }

  @Test func `A value that its source cannot save is refused, and the cache is as it was`()
    async throws
  {
    let repository = CacheRepository(
      PlainLines(), ledger: bench.ledger, clock: bench.clock)
    repository.requirements = "words"
    #expect(try await repository.refresh() == .successful)
    let date = bench.clock.date
    bench.clock.advance(by: .seconds(1))
    let error = await #expect(throws: CacheError.self) { try await repository.update(["mine"]) }
    #expect(error == .notUpdatable(source: "PlainLines"))
    #expect(
      error?.description
        == "PlainLines cannot save a value of your app, because it fetches another type than it "
        + "caches; implement updateCache(_:requirements:stamp:).")
    #expect(try await repository.value(from: .cache) == ["a", "b"])
    #expect(try await bench.ledger.record(for: "words")?.fetchedAt == date)
  }

  @Test func `A source that saves what the app gives in its own way need not fetch that type`()
    async throws
  {
    let repository = CacheRepository(
      WritableLines(), ledger: bench.ledger, clock: bench.clock)
    repository.requirements = "words"
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "no")
    try await repository.update(["mine", "too"])
    #expect(await watch.next() == "yes/mine too")
    #expect(try await bench.ledger.record(for: "words")?.fetchedAt == bench.clock.date)
    #expect(try await repository.refresh(force: true) == .successful)
    #expect(try await repository.value(from: .cache) == ["a", "b"])
  }

  @Test func `A fetch that began before an update does not win over it`() async throws {
    let gate = Gate()
    let source = FakeSource(behind: gate)
    let repository = bench.repository(source)
    let refreshing = Task { try await repository.refresh() }
    await gate.arrivals(1)
    try await repository.update(["mine"])
    gate.open()
    #expect(try await refreshing.value == .skipped(.cancelled))
    #expect(try await repository.value() == ["mine"])
    #expect(source.saves == [["mine"]])
  }

  @Test func `A fetch that is being saved ends before an update, which is shown last`()
    async throws
  {
    let (source, saving) = (FakeSource(automaticallyRefresh: false), Gate())
    source.onSave { words in
      if words == ["v1"] { try await saving.pass() }
    }
    let repository = bench.repository(source)
    let refreshing = Task { try await repository.refresh() }
    await saving.arrivals(1)
    let updating = Task { try await repository.update(["mine"]) }
    saving.open()
    try await updating.value
    #expect(try await refreshing.value == .successful)
    #expect(source.saves == [["v1"], ["mine"]])
    #expect(try await repository.value() == ["mine"])
  }

  @Test func `A refresh while the app's update is saved does not win over it`()
    async throws
  {
    let (source, saving) = (FakeSource(automaticallyRefresh: false), Gate())
    source.onSave { words in
      if words == ["mine"] { try await saving.pass() }
    }
    let repository = bench.repository(source)
    let updating = Task { try await repository.update(["mine"]) }
    await saving.arrivals(1)
    let refreshing = Task { try await repository.refresh() }
    saving.open()
    try await updating.value
    _ = try await refreshing.value
    #expect(try await repository.value(from: .cache) == source.saves.last)
  }

  @Test(arguments: ["clear", "invalidate", "update, canceled"])
  func `What the app does during a save takes its turn after it`(action: String) async throws {
    let (source, saving) = (FakeSource(automaticallyRefresh: false), Gate())
    source.onSave { _ in try await saving.pass() }
    let repository = bench.repository(source)
    let updating = Task { try await repository.update(["mine"]) }
    await saving.arrivals(1)
    let isDone = Lock(false)
    let acting = Task {
      defer { isDone.withLock { $0 = true } }
      switch action {
      case "clear": try await repository.clear()
      case "invalidate": try await repository.invalidate()
      default: try await repository.update(["canceled"])
      }
    }
    let line = try #require(CacheRegistry.of(bench.ledger).entries.first).line
    try await eventually("a second in the line") {
      line.placeCount == 2 || isDone.withLock(\.self)
    }
    if action == "update, canceled" { acting.cancel() }
    saving.open()
    try await updating.value
    _ = await acting.result
    let record = try await bench.ledger.record(for: "words")
    #expect(record?.isInvalidated == (action == "clear" ? nil : action == "invalidate"))
    #expect(source.saves == [["mine"]])
  }

  @Test func `Those who observe a cleared cache see what follows`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    try await bench.ledger.clear(prefix: "wor")
    #expect(await watch.next() == "no")
    try await repository.update(["new"])
    #expect(await watch.next() == "yes/new")
  }

  @Test func `Clearing keeps what other caches of the source need`() async throws {
    let source = FakeSource(automaticallyRefresh: false)
    let repository = try await bench.fetched(source)
    repository.requirements = "others"
    #expect(try await repository.refresh() == .successful)
    let data = try JSONEncoder().encode(CacheTag("strange"))
    try await bench.ledger.write(
      FetchRecord(fetchedAt: bench.clock.date, source: "Another", requirements: data),
      for: "strange")
    try await repository.clear()
    #expect(source.deletedTags == ["others"])
    #expect(source.keptTags == [["words"]])
  }

  @Test func `An invalidated cache is shown stale, and fetched where it is observed`()
    async throws
  {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    var watch = Watch(repository.observe())
    #expect(await watch.next() == "yes/v1")
    try await repository.invalidate()
    #expect(
      await watch.next(3) == ["yes/v1/stale", "yes/v1/stale, refreshing", "yes/v2/just refreshed"])
    #expect(try await bench.ledger.record(for: "words")?.isInvalidated == false)
  }

  @Test func `An invalidation in the ledger is remembered where nobody observes`() async throws {
    let source = FakeSource()
    let repository = try await bench.fetched(source)
    try await bench.ledger.invalidate(prefix: "w")
    #expect(try await bench.ledger.record(for: "words")?.isInvalidated == true)
    #expect(try await repository.refresh() == .successful)
    try await bench.ledger.invalidate(prefix: "x")
    #expect(try await repository.refresh() == .skipped(.cacheNotTooOld))
  }

  @Test func `An update inside the source's own save is refused (nested)`() async throws {
    let source = FakeSource()
    let repository = bench.repository(source)
    source.onSave { [weak repository] _ in try await repository?.update(["inner"]) }
    let error = CacheError.nestedWrite(tag: "words")
    #expect(try await repository.refresh() == .failed(error))
    await #expect(throws: error) { try await repository.update(["outer"]) }
    source.onSave { [weak repository] _ in
      guard case .failed(let error)? = try await repository?.refresh(force: true) else { return }
      throw error
    }
    #expect(try await repository.refresh() == .failed(error))
  }

  @Test func `Caches over the limits go, the longest unused first, but none in use`()
    async throws
  {
    let source = FakeSource(automaticallyRefresh: false, limits: CacheLimits(count: 2))
    let repository = bench.repository(source, nil)
    let kept = bench.repository(source, "0")
    #expect(try await kept.refresh() == .successful)
    var watch = Watch(kept.observe())
    #expect(await watch.next() == "yes/v1")
    for number in 1...3 {
      bench.clock.advance(by: .seconds(100))
      repository.requirements = .init(tag: "\(number)")
      #expect(try await repository.refresh() == .successful)
    }
    repository.requirements = nil
    #expect(try await kept.refresh(force: true) == .successful)
    // What is over the limits goes behind the answer.
    await source.deletions.reach(2)
    #expect(source.deletedTags.sorted() == ["1", "2"])
    #expect(try await bench.ledger.records(prefix: "").tags.sorted() == ["0", "3"])
  }

  @Test(arguments: [
    CacheLimits(age: .seconds(60)), CacheLimits(count: 1), CacheLimits(size: 100),
  ])
  func `Each limit alone chooses what goes`(limits: CacheLimits) {
    let now = Date(timeIntervalSinceReferenceDate: 1_000)
    let records: FetchRecords = [
      "old": FetchRecord(fetchedAt: now - 200, usedAt: now - 100, size: 80),
      "new": FetchRecord(fetchedAt: now - 300, usedAt: now - 10, size: 80),
    ]
    #expect(limits.surplus(of: records, keeping: [], at: now) == ["old"])
    #expect(limits.surplus(of: records, keeping: ["old", "new"], at: now) == [])
    #expect(CacheLimits.none.surplus(of: records, keeping: [], at: now) == [])
  }
}

/// A source of words that are fetched as one line.
private protocol LineSource: CacheDataSource where Cache == [String] {
  var words: FakeSource { get }
}

extension LineSource {
  var automaticallyRefresh: Bool { false }

  func fetchFreshCache(_ requirements: CacheTag) async throws -> String { "a b" }

  func saveCache(_ fetched: String, requirements: CacheTag) async throws {
    words.write(fetched.split(separator: " ").map(String.init))
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<[String], any Error> {
    words.observeCache("words")
  }
}

/// One whose words the app cannot put in.
private struct PlainLines: LineSource {
  let words = FakeSource()
}

/// One whose words it can.
private struct WritableLines: LineSource {
  let words = FakeSource()

  func updateCache(_ cache: [String], requirements: CacheTag, stamp: FetchStamp) async throws {
    words.write(cache)
    try await stamp.write()
  }
}
