import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// The outbox by models in place of entries.
@Suite(.patient) struct OutboxModelsTests {
  private struct Refused: ClassifiedError, CustomStringConvertible {
    var failureKind: FailureKind { .permanent }
    var description: String { "The title is taken." }
  }

  private let refuses = Lock(true)
  private let sent = InMemoryRepository<Draft>()
  private let local = InMemoryRepository<Draft>()
  private let evocation = Evocation(configuration: .init(outbox: .init(connectivity: nil)))

  init() throws {
    let remote = RepositoryMock<Draft> { [refuses, sent] call in
      if case .find(let criteria) = call { return try await sent.find(criteria).value }
      if refuses.withLock({ $0 }) { throw Refused() }
      if case .storeOne(let draft) = call { return try await sent.store([draft]).value }
      return []
    }
    try evocation.register(Draft.self, remote: remote, local: local, strategy: .offlineFirst)
  }

  @Test func `what is parked is listed with why, and sent again or discarded by its model`()
    async throws
  {
    let outbox = evocation.outbox
    let (draft, other) = (Draft(id: 1, title: "a"), Draft(id: 2, title: "b"))
    _ = await evocation.storeOne(draft)
    _ = await evocation.storeOne(other)
    await outbox.flush()
    let parked = try await outbox.parked(Draft.self)
    #expect(parked.map(\.model) == [draft, other])
    #expect(parked.first?.failure?.kind == .permanent)
    #expect(parked.first?.failure?.reason.contains("The title is taken.") == true)
    refuses.withLock { $0 = false }
    try await outbox.retry(draft)
    await outbox.flush()
    #expect(try await sent.find(Criteria()).value == [draft])
    try await outbox.discard(other)
    #expect(try await outbox.entries(of: Draft.self).isEmpty)
    #expect(try await local.find(Criteria()).value == [draft])
  }

  @Test func `a model without unsent changes is no error`() async throws {
    try await evocation.outbox.discard(Draft(id: 9, title: ""))
    try await evocation.outbox.retry(Draft(id: 9, title: ""))
    #expect(try await evocation.outbox.parked(Draft.self).isEmpty)
  }

  @Test func `an entry that is not parked has no failure`() async throws {
    let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    try evocation.register(
      Draft.self, remote: sent, local: InMemoryRepository(), strategy: .offlineFirst)
    _ = await evocation.storeOne(Draft(id: 1, title: "a"))
    #expect(try await evocation.outbox.entries(of: Draft.self).map(\.failure) == [nil])
    #expect(try await evocation.outbox.parked(Draft.self).isEmpty)
  }

  @Test func `pauses are of five minutes at most for an app, and of twenty for a fleet`() {
    #expect(Outbox.Configuration().retry.maximumDelay == .seconds(300))
    #expect(Outbox.Configuration.fleet.retry.maximumDelay == .seconds(1200))
  }
}
