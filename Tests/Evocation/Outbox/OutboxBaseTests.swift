import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

/// What an edit is compared with when it is sent, and what becomes of the edits behind it.
@Suite(.patient) struct OutboxBaseTests {
  private typealias Service = ScriptedService<Memo>
  private typealias Conflict = Outbox.Conflict<Memo>

  private let old = Memo()
  private let mine = Memo(title: "mine")
  private let local: InMemoryRepository<Memo>
  private let conflicts = Lock<[Conflict]>([])

  init() { local = InMemoryRepository([old]) }

  private func evocation(
    _ service: Service,
    _ resolve: (@Sendable (Conflict) -> Outbox.Resolution<Memo>)? = nil
  ) throws -> Evocation {
    let evocation = Evocation.flushedByHand()
    let proxy = evocation.register(for: Memo.self).repository(remote: service)
      .repository(local: local).strategy(.offlineFirst)
    guard let resolve else { return evocation }
    proxy.conflicts { [conflicts] conflict in
      conflicts.withLock { $0.append(conflict) }
      return resolve(conflict)
    }
    return evocation
  }

  /// The app's title and body, and the others' color.
  private static func merged(_ conflict: Conflict) -> Outbox.Resolution<Memo> {
    var memo = conflict.mine
    memo.color = conflict.theirs?.color ?? memo.color
    return .merged(memo)
  }

  /// Changes the title, and behind it the body while the first is on its way and others write.
  private func editTwice(
    _ service: Service, _ gate: Gate, others: Memo,
    _ resolve: (@Sendable (Conflict) -> Outbox.Resolution<Memo>)? = nil
  ) async throws {
    let evocation = try evocation(service, resolve)
    _ = await evocation.updateOne(mine)
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Memo(title: "mine", body: "more"))
    if others != old { _ = try await service.models.update([others]) }
    gate.open()
    #expect(await flush.value.left == 0)
  }

  @Test func `what a resolver has merged is kept by the edits that were made behind it`()
    async throws
  {
    let gate = Gate()
    let service = Service([old], habits: .comparesBases) { request, _ in
      if request.number == 1 { try await gate.pass() }
      return nil
    }
    try await editTwice(service, gate, others: Memo(color: "red"), Self.merged)
    let both = Memo(title: "mine", color: "red", body: "more")
    #expect(try await service.all == [both])
    #expect(try await local.find(Criteria()).value == [both])
    #expect(conflicts.withLock { $0.count } == 1)
  }

  @Test func `an edit that was given up does not come back with the next one`() async throws {
    let gate = Gate()
    let service = Service([old], habits: .comparesBases) { request, _ in
      if request.number == 1 { try await gate.pass() }
      return nil
    }
    let theirs = Memo(title: "theirs", color: "red")
    try await editTwice(service, gate, others: theirs) { _ in .theirs }
    let both = Memo(title: "theirs", color: "red", body: "more")
    #expect(try await service.all == [both])
    #expect(try await local.find(Criteria()).value == [both])
    #expect(conflicts.withLock { $0.count } == 1)
  }

  @Test func `an edit whose answer was lost is done, also where the service has added to it`()
    async throws
  {
    let added = Memo(title: "mine", color: "added")
    let service = Service([old]) { request, models in
      guard request.number == 1 else { return nil }
      _ = try await models.update([added])
      throw Refused(.transient)
    }
    let evocation = try evocation(service) { _ in .mine }
    _ = await evocation.updateOne(mine)
    #expect(await evocation.outbox.flush().left == 1)
    #expect(await evocation.outbox.flush().left == 0)
    #expect(conflicts.withLock { $0.isEmpty })
    #expect(service.requests.count == 1)
    #expect(try await local.find(Criteria()).value == [added])
  }

  /// Edits what others have removed, and edits it once more while the app is asked about that, and gives the
  /// first edit up.
  private func editWhatIsGone(
    _ service: Service, _ meanwhile: @escaping @Sendable (Evocation) async throws -> Void
  ) async throws -> Evocation {
    let evocation = try evocation(service)
    try evocation.proxy(for: Memo.self).conflicts { [conflicts, weak evocation] conflict in
      conflicts.withLock { $0.append(conflict) }
      if conflict.theirs == nil, let evocation {
        _ = await evocation.updateOne(Memo(title: "mine", body: "more"))
        try await meanwhile(evocation)
      }
      return .theirs
    }
    _ = await evocation.updateOne(mine)
    _ = await evocation.outbox.flush()
    return evocation
  }

  @Test func `an edit of what is gone overwrites nothing that others have added since`()
    async throws
  {
    let (service, theirs) = (Service(), Memo(title: "theirs"))
    let evocation = try await editWhatIsGone(service) { _ in
      _ = try await service.models.store([theirs])
    }
    #expect(try await evocation.outbox.status().pending == 0)
    #expect(try await service.all == [theirs])
    #expect(try await local.find(Criteria()).value == [theirs])
    #expect(conflicts.withLock { $0.count } == 2)
  }

  @Test func `an edit of what is gone overwrites nothing that a fetch has shown since`()
    async throws
  {
    let (service, theirs) = (Service(), Memo(title: "theirs"))
    let evocation = try await editWhatIsGone(service) {
      _ = try await service.models.store([theirs])
      $0.outbox.pause()
    }
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).error == nil)
    evocation.outbox.resume()
    #expect(await evocation.outbox.flush().left == 0)
    #expect(try await service.all == [theirs])
    #expect(try await local.find(Criteria()).value == [theirs])
    #expect(conflicts.withLock { $0.count } == 2)
  }

  @Test func `an edit of what is gone leaves nothing when it is discarded`() async throws {
    let evocation = try await editWhatIsGone(Service()) { $0.outbox.pause() }
    let left = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect(left.base == nil && left.seen == nil)
    try await evocation.outbox.discard(left)
    #expect(try await local.find(Criteria()).value == [])
  }

  @Test func `what the service adds in an answer is kept by the edits that were made meanwhile`()
    async throws
  {
    let gate = Gate()
    let service = Service([old]) { request, models in
      guard request.number == 1 else { return nil }
      try await gate.pass()
      var answer = request.model
      answer.color = "green"
      return try await models.update([answer]).value.first
    }
    try await editTwice(service, gate, others: old)
    let both = Memo(title: "mine", color: "green", body: "more")
    #expect(try await service.all == [both])
    #expect(try await local.find(Criteria()).value == [both])
  }

  @Test func `a refresh does not move what an edit was made on`() async throws {
    let service = Service([old])
    let evocation = try evocation(service)
    _ = await evocation.updateOne(mine)
    _ = try await service.models.update([Memo(color: "red")])
    _ = await evocation.find(model: Memo.self, rule: .remoteFirst)
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    #expect(entry.base == old)
    #expect(entry.model == mine)
  }

  @Test(arguments: [true, false])
  func `what others wrote after an edit was made is merged with it, and not undone`(
    isRefreshed: Bool
  ) async throws {
    let service = Service([old])
    let evocation = try evocation(service, Self.merged)
    _ = await evocation.updateOne(mine)
    let theirs = Memo(color: "red")
    _ = try await service.models.update([theirs])
    if isRefreshed { _ = await evocation.find(model: Memo.self, rule: .remoteFirst) }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 0, parked: 0))
    #expect(
      conflicts.withLock { $0 } == [Conflict(kind: .update, base: old, mine: mine, theirs: theirs)])
    #expect(try await service.all == [Memo(title: "mine", color: "red")])
    // A repository that sends differences sends this one alone.
    let last = try #require(service.requests.last)
    #expect(last.base.map { codedDifferences($0, last.model) } == ["title"])
  }

  @Test(arguments: [Outbox.EntryKind.update, .remove])
  func `without a resolver, what others wrote meanwhile is left as it is`(
    kind: Outbox.EntryKind
  ) async throws {
    let service = Service([old])
    let evocation = try evocation(service)
    _ = kind == .update ? await evocation.updateOne(mine) : await evocation.removeOne(old)
    let theirs = Memo(color: "red")
    _ = try await service.models.update([theirs])
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 1))
    #expect(try await service.all == [theirs])
    guard
      case .parked(.conflict, _)? = try await evocation.outbox.entries(of: Memo.self).first?.state
    else {
      Issue.record("It is not parked for its conflict.")
      return
    }
  }

  @Test func `an edit that nobody else has touched is sent without a question`() async throws {
    let service = Service([old])
    let evocation = try evocation(service, Self.merged)
    _ = await evocation.find(model: Memo.self, rule: .remoteFirst)
    for memo in [mine, Memo(title: "mine", body: "more")] {
      _ = await evocation.updateOne(memo)
      #expect(await evocation.outbox.flush().sent == 1)
      #expect(try await service.all == [memo])
    }
    #expect(conflicts.withLock { $0.isEmpty })
  }
}

/// A model that is equal to every other one with its id, as apps write it for their lists.
private struct Row: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var title: String

  static func == (left: Row, right: Row) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension OutboxBaseTests {
  @Test func `a conflict is seen although the type's own equality looks at ids alone`()
    async throws
  {
    let old = Row(id: 1, title: "old")
    let local = InMemoryRepository([old])
    let service = ScriptedService([old], habits: .comparesBases)
    let asked = Lock<[String?]>([])
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Row.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
      .conflicts { conflict in
        asked.withLock { $0.append(conflict.theirs?.title) }
        return .mine
      }
    _ = await evocation.updateOne(Row(id: 1, title: "mine"))
    _ = try await service.models.update([Row(id: 1, title: "theirs")])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(asked.withLock { $0 } == ["theirs"])
    #expect(try await service.all.map(\.title) == ["mine"])
    #expect(try await local.find(Criteria()).value.map(\.title) == ["mine"])
  }
}
