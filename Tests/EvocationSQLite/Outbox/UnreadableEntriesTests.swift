import EvocationTesting
import Foundation
import Testing

@testable import Evocation
@testable import EvocationSQLite
@testable import SQLiteSupport

/// An app's way out of a queued write that its present version cannot decode.
@Suite(.timeLimit(.minutes(20))) struct UnreadableEntriesTests {
  private let rule = Strategy.Rule(target: .local, synchronize: .outbox)
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `It is read as JSON and discarded, and what waited behind it is sent`() async throws {
    let remote = InMemoryRepository<Car>()
    let database = try SQLiteDatabase(path: folder.path())
    let evocation = Evocation()
    evocation.outbox.pause()
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: try SQLiteRepository<Car>(database)).strategy(.remoteFirst)
    #expect(await evocation.storeOne(Car(id: 1, name: "1"), rule: rule).isPending)
    try await database.write {
      _ = try $0.execute("UPDATE evocation_queue_car SET model = '{\"was\":1}'")
    }
    #expect(await evocation.storeOrUpdate([Car(id: 1, name: "2")], rule: rule).isPending)

    let entry = try #require(try await evocation.outbox.unreadableEntries().first)
    #expect(entry.json == Data("{\"was\":1}".utf8))
    #expect((entry.kind, entry.queue) == (.store, "car"))

    evocation.outbox.resume()
    var statuses = evocation.outbox.observe().makeAsyncIterator()
    while let status = await statuses.next(), status.parked == 0 || status.isSending {}
    #expect(try await remote.find(Criteria()).value.isEmpty)

    try await evocation.outbox.discard(entry)
    while let status = await statuses.next(), status.pending > 0 || status.isSending {}
    #expect(try await evocation.outbox.unreadableEntries().isEmpty)
    #expect(try await remote.find(Criteria()).value == [Car(id: 1, name: "2")])
    await #expect(throws: EvocationError.entryNotFound(id: entry.id)) {
      try await evocation.outbox.discard(entry)
    }
  }
}
