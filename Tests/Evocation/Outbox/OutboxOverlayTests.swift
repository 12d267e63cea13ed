import Evocation
import EvocationTesting
import Foundation
import Testing

@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

/// What is shown while writes are unsent: each of them, through each way to read, under each rule.
@Suite(.timeLimit(.minutes(30)))
struct OutboxOverlayTests {
  struct Note: Codable, Identifiable, Sendable, Hashable {
    var id: Int
    var title: String
    var rank: Int
  }

  enum Write: String, CaseIterable, Sendable { case store, update, remove, storeOrUpdate, all }
  enum Rule: String, CaseIterable, Sendable {
    case remoteFirst, mirror, localFirst, cacheFirst, staleWhileRevalidate, remoteOnly

    var rule: Strategy.Rule {
      switch self {
      case .remoteFirst: .remoteFirst
      case .mirror: .init(target: .remote, fallback: .local, synchronize: .mirror)
      case .localFirst: .init(target: .local, fallback: .remote, synchronize: .off)
      case .cacheFirst: .cacheFirst(maxAge: .seconds(60))
      case .staleWhileRevalidate: .staleWhileRevalidate(maxAge: .zero)
      case .remoteOnly: .remoteOnly
      }
    }
  }

  /// What a screen may ask for.
  enum Question: CaseIterable, Sendable {
    case all, byRank, firstTwo, topTwo, low, lowTop, one

    var criteria: Criteria {
      let rank = Criteria.Key("rank")
      return switch self {
      case .all: Criteria()
      case .byRank: Criteria().sorted(by: "rank", descending: true)
      case .firstTwo: Criteria().limit(2)
      case .topTwo: Criteria().sorted(by: "rank", descending: true).limit(2)
      case .low: rank < 35
      case .lowTop: (rank < 35).sorted(by: "title").limit(3)
      case .one: ["id": 3]
      }
    }

    /// The same by hand.
    func answer(_ notes: [Note]) -> [Note] {
      let byID = notes.sorted { $0.id < $1.id }
      return switch self {
      case .all: byID
      case .byRank: byID.sorted { ($0.rank, $1.id) > ($1.rank, $0.id) }
      case .firstTwo: Array(byID.prefix(2))
      case .topTwo: Array(byID.sorted { ($0.rank, $1.id) > ($1.rank, $0.id) }.prefix(2))
      case .low: byID.filter { $0.rank < 35 }
      case .lowTop:
        Array(
          byID.filter { $0.rank < 35 }.sorted { ($0.title, $0.id) < ($1.title, $1.id) }.prefix(3))
      case .one: byID.filter { $0.id == 3 }
      }
    }
  }

  static let theirs = [
    Note(id: 1, title: "d", rank: 10), Note(id: 2, title: "b", rank: 50),
    Note(id: 3, title: "a", rank: 30), Note(id: 5, title: "e", rank: 40),
    Note(id: 6, title: "c", rank: 20),
  ]

  /// A note that is added, one that is changed, one that is removed.
  static let (added, changed, removed) = (
    Note(id: 4, title: "aa", rank: 33), Note(id: 3, title: "z", rank: 60), theirs[1]
  )

  let service = InMemoryRepository<Note>()
  let local = InMemoryRepository<Note>()
  let clock = ManualClock()

  func evocation(_ rule: Rule) async throws -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Note.self).repository(remote: service).repository(local: local)
      .strategy(try Strategy(reads: rule.rule, writes: .init(target: .local, synchronize: .outbox)))
    _ = try await service.store(Self.theirs)
    _ = try await local.store(Self.theirs)
    return evocation
  }

  /// Makes the unsent writes, and gives what they make of what there was.
  func write(_ write: Write, _ evocation: Evocation) async -> [Note] {
    var notes = Dictionary(uniqueKeysWithValues: Self.theirs.map { ($0.id, $0) })
    if write == .store || write == .all {
      _ = await evocation.storeOne(Self.added)
      notes[4] = Self.added
    }
    if write == .update || write == .all {
      _ = await evocation.updateOne(Self.changed)
      notes[3] = Self.changed
    }
    if write == .remove || write == .all {
      _ = await evocation.removeOne(Self.removed)
      notes[2] = nil
    }
    if write == .storeOrUpdate || write == .all {
      let (new, old) = (Note(id: 0, title: "x", rank: 5), Note(id: 5, title: "y", rank: 34))
      _ = await evocation.storeOrUpdate([new, old])
      (notes[0], notes[5]) = (new, old)
    }
    return Array(notes.values)
  }

  @Test(arguments: Write.allCases, Rule.allCases)
  func `every read shows what is unsent`(write kind: Write, rule: Rule) async throws {
    let evocation = try await evocation(rule)
    let notes = await write(kind, evocation)
    for question in Question.allCases {
      let (criteria, wanted) = (question.criteria, question.answer(notes))
      let found = await evocation.find(model: Note.self, criteria: criteria)
      #expect(found.error == nil)
      #expect(found.data == wanted, "find \(question), \(kind), \(rule)")
      let one = await evocation.findOne(model: Note.self, criteria: criteria)
      #expect(one.data == wanted.first, "findOne \(question), \(kind), \(rule)")
      let count = await evocation.count(model: Note.self, criteria: criteria)
      #expect(count.data == wanted.count, "count \(question), \(kind), \(rule)")
      let exists = await evocation.exists(model: Note.self, criteria: criteria)
      #expect(exists.data == !wanted.isEmpty, "exists \(question), \(kind), \(rule)")
    }
    // What was read has left local as the app wrote it.
    #expect(try await local.find(Criteria()).value == Question.all.answer(notes))
    _ = await evocation.outbox.flush()
    #expect(try await service.find(Criteria()).value == Question.all.answer(notes))
    #expect(try await local.find(Criteria()).value == Question.all.answer(notes))
  }

  @Test(arguments: Write.allCases, Question.allCases)
  func `a cache, its refresh, a list and an observer show what is unsent`(
    write kind: Write, question: Question
  ) async throws {
    let evocation = try await evocation(.staleWhileRevalidate)
    var observed = evocation.observe(model: Note.self, criteria: question.criteria)
      .makeAsyncIterator()
    _ = await observed.next()
    let notes = await write(kind, evocation)
    let wanted = question.answer(notes)
    if wanted != question.answer(Self.theirs) {
      while let result = await observed.next(), result.data != wanted {}
    }
    let cache = evocation.cache(Note.self, maxAge: .zero)
    cache.requirements = question.criteria
    _ = try await cache.refresh(force: true)
    #expect(try await cache.value(from: .cache) == wanted, "cache")
    #expect(try await local.find(Criteria()).value == Question.all.answer(notes), "refresh")
    #expect(try await local.find(question.criteria).value == wanted)
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.find(Criteria()).value == Question.all.answer(notes), "sent")
  }

  @Test(arguments: Write.allCases)
  func `a list of pages shows what is unsent, and leaves it in local`(
    write kind: Write
  ) async throws {
    let evocation = try await evocation(.staleWhileRevalidate)
    let notes = await write(kind, evocation)
    let list = evocation.pagingCache(Note.self, pageSize: 3)
    list.requirements = Criteria()
    _ = try await list.refresh(force: true)
    _ = await list.goToNextPage()
    let shown = try await list.value(from: .cache)
    // What the service has is shown as it is here; what it does not have yet need not be listed.
    for note in shown { #expect(notes.contains(note), "\(note)") }
    #expect(try await local.find(Criteria()).value == Question.all.answer(notes))
  }
}

extension OutboxOverlayTests {
  @Test func `what the remote is asked for besides counts into the rule's timeout`() async throws {
    let evocation = try await evocation(.remoteOnly)
    let (asked, gate) = (Lock(0), Gate())
    let remote = RepositoryMock<Note> { [service] call in
      let isSecond = asked.withLock { asked in
        asked += 1
        return asked.isMultiple(of: 2)
      }
      if isSecond { try await gate.pass() }
      guard case .find(let criteria) = call else { return [] }
      return try await service.find(criteria).value
    }
    try evocation.proxy(for: Note.self).repository(remote: remote).strategy(
      try Strategy(
        reads: .init(target: .remote, timeout: .seconds(5)),
        writes: .init(target: .local, synchronize: .outbox)))
    _ = await evocation.removeOne(Self.removed)
    let found = Promise<Evocation.Result<[Note]>>()
    Task {
      found.fulfil(
        await evocation.find(model: Note.self, criteria: Question.topTwo.criteria))
    }
    #expect(await gate.arrivals(1))
    await clock.advance { found.isFulfilled }
    #expect(await found.value.error == nil)
    #expect(await found.value.data?.map(\.id) == [5])
    let counted = Promise<Evocation.Result<Int>>()
    Task {
      counted.fulfil(
        await evocation.count(model: Note.self, criteria: Question.topTwo.criteria))
    }
    #expect(await gate.arrivals(2))
    await clock.advance { counted.isFulfilled }
    let late = EvocationError.timedOut(.remote, model: "Note", after: .seconds(5))
    #expect(await counted.value.error as? EvocationError == late)
  }
}
