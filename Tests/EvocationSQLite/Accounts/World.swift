import Evocation
import EvocationLive
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// One device with two users, each with a service and a store, for the table of worlds.
///
/// The first user's models have the ids from 1 on, and the second one's those from 101 on, so that a model
/// says whose it is. A request of the first user's waits at a gate, while something else changes.
final class World: Sendable {
  struct Item: Codable, Identifiable, Hashable, Sendable {
    var id: Int
    var name = ""

    /// Whether it is the first user's.
    var isOfFirst: Bool { id < 100 }
  }

  /// What changes.
  enum Change: String, CaseIterable, Sendable {
    case signOut, otherService, otherStore, unregister, unregisterAndOtherStore, strategy,
      invalidate
  }

  /// What is under way.
  enum Work: String, CaseIterable, Sendable {
    case find, cache, list, page, view, prefetch, liveBatch, entry, catchUp
  }

  enum Store: String, CaseIterable, Sendable { case memory, file }

  let clock = ManualClock()
  let evocation: Evocation
  let gate = Gate()
  /// The service that an `HTTPService` would be, with the user whose credential it has.
  let first: RepositoryMock<Item>
  let second: RepositoryMock<Item>
  private let isHeld: Lock<Bool>
  /// Whose models the first service answers with.
  private let user: Lock<Int>
  private let folder: TemporaryFolder
  private let store: Store
  private let stores = Lock<[any ObservableRepository<Item>]>([])

  init(_ store: Store) throws {
    self.store = store
    folder = try TemporaryFolder()
    let (isHeld, user, gate) = (Lock(false), Lock(0), gate)
    (self.isHeld, self.user) = (isHeld, user)
    first = RepositoryMock(sendsLiveChanges: true, announcesConnection: true) { call in
      let models = Self.answer(call, of: user.withLock { $0 })
      if isHeld.withLock({ $0 }) { try await gate.pass() }
      return models
    }
    second = RepositoryMock(sendsLiveChanges: true, announcesConnection: true) {
      Self.answer($0, of: 100)
    }
    evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0 }, ledger: InMemoryFetchLedger(),
        outbox: .init(sendsAutomatically: false)))
    evocation.live.start()
  }

  private static func answer(_ call: RepositoryCall<Item>, of user: Int) -> [Item] {
    switch call {
    case .find, .findOne: (1...3).map { Item(id: user + $0, name: "served") }
    case .store(let models), .update(let models), .storeOrUpdate(let models), .remove(let models),
      .mirror(let models, _):
      models
    case .storeOne(let model), .updateOne(let model), .removeOne(let model): [model]
    }
  }

  /// The service answers as the next user's from now on.
  func signIn() { user.withLock { $0 = 100 } }

  /// Registers a service, with a store of its own or the first one.
  func register(
    _ remote: RepositoryMock<Item>, in number: Int = 0,
    strategy: Strategy = .cacheFirst(maxAge: .hours(1))
  ) throws {
    func register(_ local: some OutboxRepository<Item> & ObservableRepository<Item>) throws {
      stores.withLock { if $0.count == number { $0.append(local) } }
      try evocation.register(Item.self, remote: remote, local: local, strategy: strategy)
    }
    switch store {
    case .memory:
      let known = stores.withLock { $0.count > number ? $0[number] : nil }
      try register(known as? InMemoryRepository<Item> ?? InMemoryRepository())
    case .file:
      try register(SQLiteRepository(SQLiteDatabase(path: folder.path("\(number).sqlite"))))
    }
  }

  /// What a store has.
  func held(in number: Int = 0) async throws -> [Item] {
    try await stores.withLock { $0[number] }.find(Criteria()).value
  }

  /// Makes the change.
  func make(_ change: Change) async throws {
    switch change {
    case .signOut:
      try await evocation.signOut(.discard)
      signIn()
    case .otherService: try register(second)
    case .otherStore: try register(second, in: 1)
    case .unregister: evocation.unregister(Item.self)
    case .unregisterAndOtherStore:
      evocation.unregister(Item.self)
      try register(second, in: 1)
    case .strategy: try register(first, strategy: .cacheFirst(maxAge: .hours(2)))
    case .invalidate: try await evocation.invalidate(Item.self)
    }
  }

  /// Has the first service's requests wait from now on.
  func hold() { isHeld.withLock { $0 = true } }

  /// Lets all requests go on.
  func release() {
    isHeld.withLock { $0 = false }
    gate.open()
  }
}
