import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// An app's own code that comes back while its repositories are registered.
@Suite(.patient) struct RewiringTests {
  /// A local repository that calls the test whenever it is asked whether it has entries.
  private struct CallingStore: ForwardingRepository, OutboxStore {
    let base = InMemoryRepository<Car>()
    let call: @Sendable () -> Void

    var fetchLedger: (any FetchLedger)? { base.fetchLedger }
    var queueName: String { base.queueName }
    var storeIdentity: ObjectIdentifier { base.storeIdentity }

    var keepsEntries: Bool {
      call()
      return base.keepsEntries
    }

    var heldEntries: Bool {
      call()
      return base.heldEntries
    }

    func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
      try await base.commit(write)
    }

    func transact<Value: Sendable>(
      isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Car>) throws -> Value
    ) async throws -> Value {
      try await base.transact(isShort: isShort, body)
    }

    func look<Value: Sendable>(
      isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Car>) throws -> Value
    ) async throws -> Value {
      try await base.look(isShort: isShort, body)
    }

    func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
      base.observeQueue(handler)
    }

    func observeChanges(
      _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
    ) -> Evocation.Observation {
      base.observeChanges(handler)
    }
  }

  @Test func `A repository and a clock may ask what is registered while a repository is set`()
    async throws
  {
    let standstill = Standstill()
    defer { standstill.isOver() }
    let clock = CallingClock(callsForDate: true)
    let evocation = Evocation(configuration: .init(clock: clock))
    let calls = Lock(0)
    let ask: @Sendable () -> Void = { [weak evocation] in
      calls.withLock { $0 += 1 }
      _ = try? evocation?.proxy(for: Car.self).validate()
    }
    evocation.register(for: Car.self).repository(local: CallingStore(call: ask))
    #expect(calls.withLock { $0 } == 2)
    clock.whenRead(ask)
    try evocation.proxy(for: Car.self).repository(local: InMemoryRepository<Car>())
    // The clock is read for the store and for the registration.
    #expect(calls.withLock { $0 } == 4)
    clock.whenRead(nil)
    #expect(await evocation.storeOne(Car(id: 1), rule: .localOnly).error == nil)
  }
}
