import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What becomes of unsent writes in a file when the user signs out, and in again.
@Suite(.patient) struct OutboxSignOutFileTests {
  private let mine = Memo(title: "mine")
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let local: SQLiteRepository<Memo>

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    local = try SQLiteRepository<Memo>(database)
  }

  private func evocation(
    _ service: ScriptedService<Memo>, ledger: any FetchLedger = InMemoryFetchLedger()
  ) -> Evocation {
    let evocation = Evocation.flushedByHand(ledger: ledger)
    evocation.register(for: Memo.self).repository(remote: service).repository(local: local)
      .strategy(.offlineFirst)
    return evocation
  }

  /// Signs out, keeps what is unsent, and signs in again.
  private func signOutAndIn(_ evocation: Evocation) async throws {
    try await evocation.signOut(.keep)
    #expect(try await local.find(Criteria()).value.isEmpty)
    evocation.outbox.resume()
    _ = await evocation.outbox.observe().first { $0.pause == nil }
  }

  @Test func `an edit that was kept at signing out is shown again, and stays when it is sent`()
    async throws
  {
    let gate = Gate()
    let service = ScriptedService([Memo()]) { _, _ in
      try await gate.pass()
      return nil
    }
    let evocation = evocation(service)
    try await local.store([Memo()])
    _ = await evocation.updateOne(mine)
    try await signOutAndIn(evocation)
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [mine])
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [mine])
    gate.open()
    #expect(await flush.value.sent == 1)
    #expect(try await local.find(Criteria()).value == [mine])
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [mine])
    await database.close()
  }

  @Test(arguments: [false, true])
  func `once unsent writes are discarded, none is set aside`(signsOut: Bool) async throws {
    let evocation = evocation(ScriptedService([Memo()]) { _, _ in nil })
    func leave(_ unsent: Outbox.UnsentWrites) async throws {
      if signsOut { return try await evocation.signOut(unsent) }
      try await evocation.outbox.settle(unsent)
    }
    try await local.store([Memo()])
    _ = await evocation.updateOne(mine)
    try await leave(.keep)
    try await leave(.discard)
    // Of the next user, a removal hides its model, and is sent without more ado.
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [Memo()])
    _ = await evocation.removeOne(Memo())
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [])
    #expect(try await local.find(Criteria()).value == [])
    #expect(await evocation.outbox.flush().left == 0)
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [])
    await database.close()
  }

  @Test func `a refused edit that was kept at signing out is shown again, and can be edited`()
    async throws
  {
    let service = ScriptedService([Memo()]) { request, _ in
      if request.number == 1 { throw Refused(.permanent) }
      return nil
    }
    let evocation = evocation(service)
    try await local.store([Memo()])
    _ = await evocation.updateOne(mine)
    #expect(await evocation.outbox.flush().parked == 1)
    try await signOutAndIn(evocation)
    #expect(await evocation.find(model: Memo.self, rule: .remoteFirst).data == [mine])
    let later = Memo(title: "later")
    let entry = try #require(try await evocation.outbox.entries(of: Memo.self).first)
    try await evocation.outbox.resend(entry, as: later)
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(try await local.find(Criteria()).value == [later])
    await database.close()
  }

  @Test func `a new model that was kept at signing out is shown again before it is sent`()
    async throws
  {
    let evocation = evocation(ScriptedService())
    _ = await evocation.storeOne(mine)
    try await signOutAndIn(evocation)
    #expect(await evocation.find(model: Memo.self, rule: .localOnly).data == [mine])
    #expect(await evocation.outbox.flush().sent == 1)
    #expect(try await local.find(Criteria()).value == [mine])
    await database.close()
  }

  @Test func `signing out with nothing unsent takes no write with it that comes meanwhile`()
    async throws
  {
    /// A ledger that does something when it is emptied, which is in the middle of a sign-out.
    final class CallingLedger: ForwardingLedger {
      let base = InMemoryFetchLedger()
      let whenErased = Lock<(@Sendable () async -> Void)?>(nil)

      func erase(prefix: String) async throws {
        let call = whenErased.withLock { call in
          defer { call = nil }
          return call
        }
        await call?()
        try await base.erase(prefix: prefix)
      }
    }
    let ledger = CallingLedger()
    let evocation = evocation(ScriptedService(), ledger: ledger)
    // An extension, or another process on the file.
    let other = Evocation.flushedByHand()
    let otherDatabase = try SQLiteDatabase(path: folder.path())
    let otherLocal = try SQLiteRepository<Memo>(otherDatabase)
    other.register(for: Memo.self).repository(remote: ScriptedService<Memo>())
      .repository(local: otherLocal).strategy(.offlineFirst)
    let hasWritten = Lock(false)
    ledger.whenErased.withLock { [mine] in
      $0 = {
        let result = await other.storeOne(mine)
        hasWritten.withLock { $0 = result.isPending }
      }
    }
    let error = await #expect(throws: EvocationError.self) { try await evocation.signOut(.block) }
    #expect(error == .unsentWrites(1))
    #expect(hasWritten.withLock { $0 })
    #expect(try await other.outbox.entries(of: Memo.self).map(\.model) == [mine])
    #expect(try await otherLocal.find(Criteria()).value == [mine])
    await otherDatabase.close()
    await database.close()
  }

  @Test func `what the remote has stays in local when unsent writes are discarded unread`()
    async throws
  {
    let service = ScriptedService([Memo()]) { _, _ in throw Refused(.transient) }
    let evocation = evocation(service)
    try await local.store([Memo()])
    _ = await evocation.updateOne(mine)
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.updateOne(Memo(title: "later"))
    // The present version of the app cannot decode the first one.
    #expect(try await database.spoilEntries(saying: "\"mine\"") == 1)
    let again = self.evocation(service)
    #expect(try await again.outbox.unreadableEntries().count == 1)
    try await again.outbox.settle(.discard)
    #expect(try await again.outbox.status().pending == 0)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1])
    await database.close()
  }
}
