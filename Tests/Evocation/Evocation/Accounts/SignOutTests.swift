import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationOutbox
@testable import EvocationValues

/// What signing out empties, and what becomes of what runs meanwhile.
@Suite(.patient) struct SignOutTests {
  /// A local repository that takes no write whole, and tells no changes.
  private final class PlainLocal: ForwardingRepository {
    let base = InMemoryRepository<Car>()
  }

  /// A remote that remembers.
  private final class RememberingRemote: ForwardingRepository, ForgettingRepository {
    let base = InMemoryRepository([Car(id: 1)])
    let forgettings = Lock(0)
    func forgetAnswers() { forgettings.withLock { $0 += 1 } }
  }

  private let clock = ManualClock()
  private let ledger = InMemoryFetchLedger()
  private let local = InMemoryRepository<Car>()
  private let evocation: Evocation

  init() {
    evocation = Evocation(configuration: .init(clock: clock, ledger: ledger))
  }

  private func register(
    _ remote: some Repository<Car>, _ strategy: Strategy = .cacheFirst(maxAge: .seconds(60))
  ) {
    evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      .strategy(strategy)
  }

  private var held: [Int] {
    get async throws { try await local.find(Criteria()).value.map(\.id) }
  }

  @Test func `Local, the ledger and what is remembered are emptied, and the remote is not`()
    async throws
  {
    let remote = RememberingRemote()
    register(remote)
    #expect(await evocation.find(model: Car.self).origin == .remote)
    #expect(await evocation.find(model: Car.self).origin == .local)
    try await evocation.signOut(.block)
    #expect(try await held == [])
    #expect(try await ledger.records(prefix: "").isEmpty)
    #expect(remote.forgettings.withLock { $0 } == 1)
    let again = await evocation.find(model: Car.self)
    #expect(again.origin == .remote && again.data == [Car(id: 1)])
    #expect(try await held == [1])
  }

  @Test func `A local repository that takes writes in steps is emptied too`() async throws {
    let plain = PlainLocal()
    evocation.register(for: Car.self).repository(local: plain).strategy(.localOnly)
    _ = await evocation.store([Car(id: 1), Car(id: 2)])
    try await evocation.signOut(.discard)
    #expect(try await plain.base.find(Criteria()).value == [])
  }

  @Test func `Without anything registered, and without anything in it, nothing fails`() async throws
  {
    try await Evocation().signOut(.keep)
    register(InMemoryRepository<Car>())
    for unsent in Outbox.UnsentWrites.allCases { try await evocation.signOut(unsent) }
    #expect(try await held == [])
  }

  @Test func `A read that began before and ends after gives an error, and saves nothing`()
    async throws
  {
    let gate = Gate()
    register(
      RepositoryMock<Car> { _ in
        try? await gate.pass()
        return [Car(id: 1)]
      })
    let read = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    try await evocation.signOut(.block)
    gate.open()
    let result = await read.value
    #expect(result.data == nil && result.error as? EvocationError == .signedOut(model: "Car"))
    #expect(
      result.error.map { "\($0)" }
        == "The account signed out while Evocation read Car, so the call returned no models; read "
        + "again for the account that is signed in now.")
    #expect(try await held == [])
    #expect(try await ledger.records(prefix: "").isEmpty)
  }

  @Test func `A read that begins afterwards joins none that began before`() async throws {
    let (gate, count) = (Gate(), Lock(0))
    register(
      RepositoryMock<Car> { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        try? await gate.pass()
        return [Car(id: number)]
      }, .init(.remoteOnly))
    let old = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    try await evocation.signOut(.block)
    let new = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(2)
    gate.open()
    #expect(await old.value.error as? EvocationError == .signedOut(model: "Car"))
    #expect(await new.value.data == [Car(id: 2)])
  }

  @Test func `One that had joined before gets the error too`() async throws {
    let (gate, clock) = (Gate(), clock)
    register(
      RepositoryMock<Car> { _ in
        try? await gate.pass()
        return [Car(id: 1)]
      }, .init(.remoteOnly))
    let reads = (1...2).map { _ in Task { await evocation.find(model: Car.self) } }
    await gate.arrivals(1)
    let proxy = try evocation.proxy(for: Car.self)
    let kind = ReadJoins.Kind(Find.self, proxy.wiring)
    try await eventually("a read that joins another") {
      proxy.joins.waitingCount(kind, Criteria()) > 0
    }
    try await evocation.signOut(.block)
    gate.open()
    for read in reads {
      #expect(await read.value.error as? EvocationError == .signedOut(model: "Car"))
    }
    withExtendedLifetime(clock) {}
  }

  @Test func `A sign-out waits for a write that runs, and one that is made later stays`()
    async throws
  {
    let gate = Gate()
    register(
      RepositoryMock<Car> { call in
        guard case .storeOne(let car) = call else { return [] }
        try? await gate.pass()
        return [car]
      }, .init(.remoteFirst))
    let first = Task { await evocation.storeOne(Car(id: 1)) }
    await gate.arrivals(1)
    let signOut = Task { try await evocation.signOut(.block) }
    let line = try evocation.proxy(for: Car.self).line
    try await eventually("a second in the line") { line.placeCount >= 2 }
    let second = Task { await evocation.storeOne(Car(id: 2)) }
    try await eventually("a third in the line") { line.placeCount >= 3 }
    gate.open()
    #expect(await first.value.error == nil)
    try await signOut.value
    #expect(await second.value.error == nil)
    #expect(try await held == [2])
  }

  @Test func `Cancelled while it waits, it changes nothing`() async throws {
    let gate = Gate()
    register(
      RepositoryMock<Car> { _ in
        try? await gate.pass()
        return []
      }, .init(.remoteFirst))
    _ = try await local.store([Car(id: 7)])
    let write = Task { await evocation.storeOne(Car(id: 1)) }
    await gate.arrivals(1)
    let signOut = Task { try await evocation.signOut(.discard) }
    signOut.cancel()
    await #expect(throws: CancellationError.self) { try await signOut.value }
    gate.open()
    _ = await write.value
    #expect(try await held.contains(7))
    #expect(await evocation.find(model: Car.self, criteria: ["id": 7]).error == nil)
  }

  @Test func `Inside a repository's own write it is refused`() async throws {
    let told = Lock<[any Error]>([])
    register(
      RepositoryMock<Car> { [evocation] _ in
        do { try await evocation.signOut(.discard) } catch { told.withLock { $0.append(error) } }
        return []
      }, .init(.remoteOnly))
    _ = await evocation.storeOne(Car(id: 1))
    #expect(told.withLock { $0.first } as? EvocationError == .nestedSignOut(model: "Car"))
    #expect(
      told.withLock { $0.first }.map { "\($0)" }
        == "Your app signed out inside a write of Car, which would wait for itself; sign out "
        + "after the write has ended."
    )
  }

  struct Ant: Codable, Identifiable, Sendable { var id = 1 }
  struct Bee: Codable, Identifiable, Sendable { var id = 1 }
  struct Cow: Codable, Identifiable, Sendable { var id = 1 }

  @Test func `Where a write waits for a line that it has, it steps back, and no one fails`()
    async throws
  {
    let (bees, cows) = (Gate(), Gate())
    let told = Lock<[any Error]>([])
    let ants = InMemoryRepository<Ant>()
    evocation.register(for: Ant.self).strategy(.localOnly).repository(local: ants)
    evocation.register(for: Bee.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Bee> { _ in
        try? await bees.pass()
        return []
      })
    evocation.register(for: Cow.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Cow> { [evocation] _ in
        try? await cows.pass()
        if let error = await evocation.storeOne(Ant()).error { told.withLock { $0.append(error) } }
        return []
      })
    let bee = Task { await evocation.storeOne(Bee()) }
    let cow = Task { await evocation.storeOne(Cow()) }
    await bees.arrivals(1)
    await cows.arrivals(1)
    let line = try evocation.proxy(for: Ant.self).line
    let signOut = Task { try await evocation.signOut(.block) }
    let second = try evocation.proxy(for: Bee.self).line
    // It has the ants' line, and waits for the bees'.
    try await eventually("the sign-out in the line of the bees") { second.placeCount >= 2 }
    cows.open()
    // The write of a cow waits for the ants' line, and is what it waits for next.
    try await eventually("a second in the line") { line.placeCount >= 2 }
    bees.open()
    try await signOut.value
    _ = await (bee.value, cow.value)
    #expect(told.withLock { $0.isEmpty })
    #expect(try await ants.count(Criteria()) == 0)
  }

  @Test func `What a cache reads from local meanwhile is not given either`() async throws {
    let gate = Gate()
    let slow = RepositoryMock<Car> { call in
      guard case .find = call else { return [] }
      try? await gate.pass()
      return [Car(id: 1)]
    }
    evocation.register(for: Car.self).repository(remote: InMemoryRepository<Car>())
      .repository(local: slow)
    let source = evocation.cache(Car.self).source
    let read = Task { try await source.readCache(Criteria()) }
    await gate.arrivals(1)
    let signOut = Task { try await evocation.signOut(.block) }
    await gate.arrivals(2)
    gate.open()
    await #expect(throws: EvocationError.signedOut(model: "Car")) { try await read.value }
    try await signOut.value
  }

  @Test func `Inside a read of a repository, as after a refused credential, it works`() async throws
  {
    register(
      RepositoryMock<Car> { [evocation] _ in
        try await evocation.signOut(.discard)
        return [Car(id: 1)]
      })
    _ = try await local.store([Car(id: 7)])
    let result = await evocation.find(model: Car.self)
    #expect(result.error as? EvocationError == .signedOut(model: "Car"))
    #expect(try await held == [])
  }

  @Test func `Of several at once each comes to its end, and the later find nothing to do`()
    async throws
  {
    register(InMemoryRepository<Car>())
    for _ in 1...20 {
      _ = try await local.storeOrUpdate([Car(id: 1)])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for unsent in [Outbox.UnsentWrites.block, .discard, .keep, .block] {
          group.addTask { try await evocation.signOut(unsent) }
        }
        try await group.waitForAll()
      }
      #expect(try await held == [])
    }
  }

  @Test func `Somebody who observes sees one empty answer`() async throws {
    register(InMemoryRepository<Car>(), .init(.localOnly))
    _ = try await local.store([Car(id: 1), Car(id: 2)])
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await answers.next(isolation: nil)?.data?.count == 2)
    try await evocation.signOut(.block)
    #expect(await answers.next(isolation: nil)?.data == [])
    try await evocation.signOut(.block)
    _ = await evocation.storeOne(Car(id: 3))
    #expect(await answers.next(isolation: nil)?.data == [Car(id: 3)])
  }

  @Test func `A running prefetch ends with an error, and brings nothing more`() async throws {
    let gate = Gate()
    register(BatchesBehindGate(gate))
    let prefetch = Task { await evocation.prefetch(Car.self) }
    // The first two batches have come, and the first of them is stored.
    await gate.arrivals(1)
    #expect(try await held == [1])
    try await evocation.signOut(.block)
    gate.open()
    #expect(await prefetch.value.error as? EvocationError == .signedOut(model: "Car"))
    #expect(try await held == [])
    #expect(try await ledger.records(prefix: "").isEmpty)
  }

  /// A remote that gives one model a batch.
  private final class BatchesBehindGate: ForwardingRepository, BatchingRepository {
    let base = InMemoryRepository<Car>()
    private let gate: Gate
    init(_ gate: Gate) { self.gate = gate }

    func find(
      _ criteria: Criteria, inBatchesOf size: Int,
      _ take: @escaping @Sendable (Response<[Car]>) async throws -> Void
    ) async throws -> Response<Int> {
      for id in 1...4 {
        try await take(Response([Car(id: id)]))
        if id > 1 { try? await gate.pass() }
      }
      return Response(4)
    }
  }
}
