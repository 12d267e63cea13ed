import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationStores
@testable import EvocationValues

/// Writes that the server fails each time, beside others that it accepts.
@Suite(.timeLimit(.minutes(30))) struct OutboxFailingWriteTests {
  /// How the server fails a write.
  enum Failing: CaseIterable, Sendable {
    case said, unclassified, busy, hanging

    func fail() async throws {
      switch self {
      case .said: throw Refused(.transient)
      case .unclassified: throw Unclassified()
      case .busy: throw Refused(.transient, retryAfter: .seconds(2))
      case .hanging: try await Gate().pass()
      }
    }
  }

  private struct Unclassified: Error {}

  private let local = InMemoryRepository<Memo>()
  private let clock = ManualClock()

  /// An app whose server fails the writes on some memos, each in its way.
  private func evocation(
    _ failing: [Int: Failing], sends: Bool = true, connectivity: ManualConnectivity? = nil
  ) -> (Evocation, ScriptedService<Memo>) {
    let service = ScriptedService<Memo> { request, _ in
      try await failing[request.model.id]?.fail()
      return nil
    }
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 },
        outbox: .init(sendsAutomatically: sends, connectivity: connectivity)))
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return (evocation, service)
  }

  /// Lets time pass, a second whenever nothing happens, until something holds; returns how much.
  @discardableResult
  private func advance(until isSo: () async throws -> Bool) async rethrows -> Duration {
    var passed = Duration.zero
    while passed < .minutes(20) {
      for _ in 0..<300 {
        if try await isSo() { return passed }
        await Task.yield()
      }
      clock.advance(by: .seconds(1))
      passed += .seconds(1)
    }
    return passed
  }

  /// Lets time pass until only so many entries are left, and returns how much that was.
  private func wait(_ evocation: Evocation, left: Int) async throws -> Duration {
    try await advance { try await evocation.outbox.status().pending <= left }
  }

  @Test(arguments: Failing.allCases, [false, true])
  func `a write that the server fails each time holds up no other`(
    failing: Failing, isWarm: Bool
  ) async throws {
    let (evocation, service) = evocation([1: failing])
    if isWarm {
      _ = await evocation.storeOne(Memo(id: 9))
      #expect(try await wait(evocation, left: 0) == .zero)
    }
    for id in 1...5 { _ = await evocation.storeOne(Memo(id: id)) }
    #expect(try await wait(evocation, left: 1) < .minutes(5))
    #expect(try await service.all.map(\.id) == [2, 3, 4, 5] + (isWarm ? [9] : []))
  }

  @Test func `two writes that fail each time and one that hangs hold up no other`() async throws {
    let (evocation, service) = evocation([1: .said, 2: .hanging, 3: .unclassified])
    for id in 1...20 { _ = await evocation.storeOne(Memo(id: id)) }
    #expect(try await wait(evocation, left: 3) < .minutes(5))
    #expect(try await service.all.map(\.id) == Array(4...20))
    // What fails goes on to be sent, seldom.
    let count = service.requests.count
    #expect(await advance { service.requests.count >= count + 3 } < .minutes(7))
  }

  @Test(arguments: [(10, 5), (40, 20)])
  func `many writes that fail each time hold up none of those made after them`(
    failing: Int, others: Int
  ) async throws {
    let (evocation, service) = evocation(
      Dictionary(uniqueKeysWithValues: (1...failing).map { ($0, Failing.said) }))
    for id in 1...(failing + others) { _ = await evocation.storeOne(Memo(id: id)) }
    #expect(try await wait(evocation, left: failing) < .minutes(5))
    #expect(try await service.all.map(\.id) == Array((failing + 1)...(failing + others)))
  }

  @Test func `after a restart too, a write that was under way holds up none that never was`()
    async throws
  {
    let (first, _) = evocation([:], sends: false)
    for id in 1...4 { _ = await first.storeOne(Memo(id: id)) }
    // As when the process was killed during the attempt.
    try await local.transact(isShort: true) { transaction in
      let entries = transaction.entries
      for row in try entries.pending(after: .min, limit: 1) { try entries.take(row.position) }
    }
    let (second, service) = evocation([1: .hanging])
    #expect(try await wait(second, left: 1) < .seconds(30))
    #expect(service.requests.first?.model.id == 2)
  }

  @Test func `when the network returns, another write is tried first than the one that failed`()
    async throws
  {
    let connectivity = ManualConnectivity(isOnline: true)
    let (evocation, service) = evocation([1: .said], connectivity: connectivity)
    for id in 1...3 { _ = await evocation.storeOne(Memo(id: id)) }
    try await eventually("the first attempt") { service.requests.count == 1 }
    #expect(await connectivity.listeners(1))
    connectivity.goOffline()
    await evocation.outbox.wait { $0.pause == .offline }
    connectivity.goOnline()
    await evocation.outbox.wait { $0.pause == nil }
    #expect(try await wait(evocation, left: 1) < .seconds(10))
    #expect(service.requests.map(\.model.id).prefix(2) == [1, 2])
  }

  @Test func `a flush sends what the server accepts, although a write before it fails each time`()
    async throws
  {
    let (evocation, service) = evocation([1: .said, 2: .unclassified], sends: false)
    for id in 1...5 { _ = await evocation.storeOne(Memo(id: id)) }
    let result = Promise<Outbox.FlushResult>()
    Task { result.fulfil(await evocation.outbox.flush(deadline: .minutes(1))) }
    await advance { result.isFulfilled }
    #expect(await result.value == Outbox.FlushResult(sent: 3, left: 2, parked: 0))
    #expect(try await service.all.map(\.id) == [3, 4, 5])
  }

  @Test func `each flush tries another write first, also while no time passes`() async throws {
    let isDown = Lock(true)
    let service = ScriptedService<Memo> { request, _ in
      if request.model.id == 1 || isDown.withLock({ $0 }) { throw Refused(.transient) }
      return nil
    }
    let evocation = Evocation.flushedByHand(clock: clock)
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    for id in 1...3 { _ = await evocation.storeOne(Memo(id: id)) }
    for _ in 0..<3 { _ = await evocation.outbox.flush() }
    #expect(service.requests.map(\.model.id) == [1, 2, 3])
    isDown.withLock { $0 = false }
    for _ in 0..<3 { _ = await evocation.outbox.flush() }
    #expect(try await service.all.map(\.id) == [2, 3])
  }

  @Test func `a unit that fails each time holds up no other write`() async throws {
    let (evocation, service) = evocation([1: .said])
    evocation.outbox.pause()
    _ = try await evocation.together { writes in
      try await writes.store([Memo(id: 1), Memo(id: 2)])
    }
    for id in 3...6 { _ = await evocation.storeOne(Memo(id: id)) }
    evocation.outbox.resume()
    #expect(try await wait(evocation, left: 2) < .minutes(5))
    #expect(try await service.all.map(\.id) == [3, 4, 5, 6])
  }

  @Test func `while a server is down, one write after another is its probe, and one at a time`()
    async throws
  {
    let running = Lock(0)
    let service = ScriptedService<Memo> { _, _ in
      let now = running.withLock {
        $0 += 1; return $0
      }
      defer { running.withLock { $0 -= 1 } }
      #expect(now == 1)
      throw Refused(.transient)
    }
    let evocation = Evocation(configuration: .init(clock: clock, chance: { 0.5 }))
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    for id in 1...3 { _ = await evocation.storeOne(Memo(id: id)) }
    for count in 1...9 {
      await advance { service.requests.count >= count }
    }
    #expect(service.requests.prefix(9).map(\.model.id) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
  }
}
