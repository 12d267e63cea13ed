import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What an app knows of its unsent writes when it is started again.
@Suite(.patient) struct OutboxRestartTests {
  private let folder: TemporaryFolder
  private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
  /// Longer than the lease of the former start.
  private let leaseAndMore = Duration.seconds(20)

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ service: ScriptedService<Memo>, _ clock: ManualClock, sends: Bool = false
  ) throws -> (Evocation, SQLiteDatabase, SQLiteRepository<Memo>) {
    let database = try SQLiteDatabase(path: folder.path())
    let local = try SQLiteRepository<Memo>(database)
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: sends)))
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return (evocation, database, local)
  }

  @Test func `an id that the service replaced is known to later starts of the app`() async throws {
    let clock = ManualClock()
    let service = ScriptedService<Memo> { request, models in
      guard request.kind == .store else { return nil }
      return try await models.storeOne(Memo(id: 100, title: request.model.title)).value
    }
    let (first, database, _) = try open(service, clock)
    _ = await first.storeOne(Memo(id: -1))
    #expect(await first.outbox.flush().sent == 1)
    await database.close()
    clock.advance(by: leaseAndMore)
    let (second, reopened, local) = try open(service, clock)
    #expect(await second.updateOne(Memo(id: -1, title: "later")).isPending)
    #expect(try await local.find(Criteria()).value == [Memo(id: 100, title: "later")])
    #expect(await second.outbox.flush().left == 0)
    #expect(try await service.all == [Memo(id: 100, title: "later")])
    await reopened.close()
  }

  @Test func `what an edit was made on is known to later starts of the app`() async throws {
    let (clock, old) = (ManualClock(), Memo())
    let service = ScriptedService([old], habits: .comparesBases)
    let (first, database, firstLocal) = try open(service, clock)
    try await firstLocal.store([old])
    _ = await first.updateOne(Memo(title: "mine"))
    _ = try await service.models.update([Memo(color: "red")])
    _ = await first.find(model: Memo.self, rule: .remoteFirst)
    await database.close()
    let (second, reopened, _) = try open(service, clock)
    let entry = try #require(try await second.outbox.entries(of: Memo.self).first)
    #expect(entry.base == old)
    #expect(await second.outbox.flush().parked == 1)
    #expect(try await service.all == [Memo(color: "red")])
    await reopened.close()
  }

  @Test func `a service that asked for patience is left alone by later starts of the app`()
    async throws
  {
    let clock = ManualClock(date: start)
    let service = ScriptedService<Memo> { request, _ in
      if request.number == 1 { throw Refused(.transient, retryAfter: .seconds(120)) }
      return nil
    }
    let (first, database, _) = try open(service, clock)
    for id in 1...5 { _ = await first.storeOne(Memo(id: id)) }
    #expect(await first.outbox.flush() == Outbox.FlushResult(sent: 0, left: 5, parked: 0))
    await database.close()
    clock.advance(by: leaseAndMore)
    let (second, reopened, _) = try open(service, clock)
    #expect(await second.outbox.flush() == Outbox.FlushResult(sent: 0, left: 5, parked: 0))
    #expect(service.requests.count == 1)
    for _ in 1...100 where await second.outbox.flush().left > 0 {
      clock.advance(by: .seconds(13))
    }
    #expect(try await second.outbox.status().pending == 0)
    await reopened.close()
  }

  @Test func `a date that was set back holds nothing up for longer than the longest pause`()
    async throws
  {
    let service = ScriptedService<Memo> { request, _ in
      if request.number == 1 { throw Refused(.transient) }
      return nil
    }
    let (first, database, _) = try open(service, ManualClock(date: start))
    _ = await first.storeOne(Memo())
    #expect(await first.outbox.flush().left == 1)
    await database.close()
    let clock = ManualClock(date: start.addingTimeInterval(-864_000))
    let (second, reopened, _) = try open(service, clock, sends: true)
    // Twelve hours, where the longest pause is of twenty minutes.
    for _ in 1...720 where try await second.outbox.status().pending > 0 {
      for _ in 1...20 { await Task.yield() }
      clock.advance(by: .seconds(60))
    }
    #expect(service.requests.count == 2)
    #expect(try await second.outbox.status().pending == 0)
    await reopened.close()
  }
}
