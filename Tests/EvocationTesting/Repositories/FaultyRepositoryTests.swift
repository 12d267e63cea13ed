import Evocation
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct FaultyRepositoryTests {
  private let cars = (1...4).map { Car(id: $0, name: "a", year: 1980, owner: nil) }
  private let wrapped = InMemoryRepository<Car>()

  private func faulty(
    _ fault: Fault, on occasion: FaultOccasion = .each()
  ) -> FaultyRepository<InMemoryRepository<Car>> {
    FaultyRepository(wrapped, FaultSchedule(fault, on: occasion))
  }

  private func ids() async throws -> [Int] {
    try await wrapped.find(Criteria()).value.map(\.id).sorted()
  }

  @Test func `Where nothing goes wrong the contract is kept`() async {
    let contract = RepositoryContract(Array(cars.prefix(3))) { car in
      var car = car
      car.year += 1
      return car
    }
    let violations = await contract.violations {
      FaultyRepository(InMemoryRepository<Car>(), .none)
    }
    #expect(violations == [])
  }

  @Test func `A call that fails is not made, and says which it was`() async throws {
    let faulty = faulty(.fails(), on: .number(2))
    _ = try await faulty.store([cars[0]])
    let error = await #expect(throws: InjectedFault.self) { try await faulty.store([cars[1]]) }
    #expect(
      error?.description == "Call 2, store, fails, because the test's schedule says so.")
    #expect(error.map { FailureKind($0) } == .transient)
    #expect(try await ids() == [1])
    #expect(faulty.callsCount == 2)
    #expect(faulty.faults == [error])
    faulty.schedule = FaultSchedule(.fails(with: Refused()), on: .number(3))
    await #expect(throws: Refused.self) { try await faulty.removeOne(cars[0]) }
    #expect(try await ids() == [1])
  }

  @Test func `Repositories that share faults are counted together`() async throws {
    let faults = Faults(FaultSchedule(.fails(), on: .number(1)))
    let remote = InterceptedRepository(InMemoryRepository<Car>(), by: faults)
    await #expect(throws: InjectedFault.self) { try await remote.find(Criteria()) }
    _ = try await InterceptedRepository(wrapped, by: faults).find(Criteria())
    #expect(faults.callsCount == 2 && faults.played.map(\.method) == ["find"])
    faults.schedule = .none
    #expect("\(remote.schedule)" == "Nothing goes wrong.")
  }

  @Test func `Reads and writes are counted apart`() async throws {
    let faulty = FaultyRepository(
      wrapped, FaultSchedule(.fails(), on: .number(1, .write)).and(.fails(), on: .number(3, .read)))
    for _ in 1...2 { _ = try await faulty.find(Criteria()) }
    await #expect(throws: InjectedFault.self) { try await faulty.store(cars) }
    _ = try await faulty.store(cars)
    await #expect(throws: InjectedFault.self) { try await faulty.find(Criteria()) }
    _ = try await faulty.find(Criteria())
    #expect(faulty.faults.map(\.call) == [3, 5])
  }

  @Test func `A delay is by the clock, adds up, and can be cancelled`() async throws {
    let clock = ManualClock()
    let schedule = FaultSchedule(.isDelayed(by: .seconds(2)), on: .each())
      .and(.isDelayed(by: .seconds(3)), on: .number(1))
    let faulty = FaultyRepository(wrapped, schedule, clock: clock)
    async let answer = faulty.storeOne(cars[0])
    await clock.sleeps(1)
    clock.advance(by: .seconds(2))
    await clock.sleeps(2)
    #expect(try await ids() == [])
    clock.advance(by: .seconds(3))
    #expect(try await answer.value == cars[0])
    let task = Task { try await faulty.find(Criteria()) }
    await clock.sleeps(3)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `Half of an answer is the first half, and of one model none`() async throws {
    let faulty = faulty(.answersHalf)
    #expect(try await faulty.store(cars).value == Array(cars.prefix(2)))
    #expect(try await ids() == [1, 2, 3, 4])
    #expect(try await faulty.find(["id": 1]).value == [])
    #expect(try await faulty.findOne(["id": 1]).value == nil)
    #expect(try await faulty.updateOne(cars[0]).value == nil)
    #expect(try await faulty.count(Criteria()) == 2)
    #expect(try await faulty.exists(Criteria()) == false)
  }

  @Test func `A write that breaks off has reached the first models`() async throws {
    let faulty = faulty(.breaksOff(after: 2))
    await #expect(throws: InjectedFault.self) { try await faulty.store(cars) }
    #expect(try await ids() == [1, 2])
    await #expect(throws: InjectedFault.self) { try await faulty.find(Criteria()) }
    await #expect(throws: InjectedFault.self) {
      try await faulty.mirror(Array(cars.suffix(3)), for: Criteria())
    }
    #expect(try await ids() == [1, 2, 3])
    faulty.schedule = FaultSchedule(.breaksOff(after: 0), on: .each())
    await #expect(throws: InjectedFault.self) { try await faulty.storeOne(cars[3]) }
    #expect(try await ids() == [1, 2, 3])
  }

  @Test func `A write that is lost is answered as if it had been made`() async throws {
    let faulty = faulty(.losesWrite)
    #expect(try await faulty.store(cars).value == cars)
    #expect(try await faulty.storeOne(cars[0]).value == cars[0])
    #expect(try await faulty.mirror(cars, for: Criteria()).value == [])
    #expect(try await faulty.find(Criteria()).value == [])
    #expect(try await ids() == [])
  }

  @Test func `A write whose answer is lost has been made`() async throws {
    let faulty = faulty(.losesAnswer)
    await #expect(throws: InjectedFault.self) { try await faulty.storeOrUpdate(cars) }
    #expect(try await ids() == [1, 2, 3, 4])
    await #expect(throws: InjectedFault.self) { try await faulty.remove([cars[0]]) }
    await #expect(throws: InjectedFault.self) { try await faulty.update([cars[1]]) }
    #expect(try await ids() == [2, 3, 4])
    await #expect(throws: InjectedFault.self) { try await faulty.findOne(Criteria()) }
  }

  @Test func `A faulty repository is observable when what it wraps is`() async throws {
    let observable: any Repository<Car> = faulty(.losesAnswer)
    let told = Lock<[Int]>([])
    let observation = try #require(observable as? any ObservableRepository<Car>).observeChanges {
      guard case .models(let stored, _, _) = $0.extent else { return }
      told.withLock { $0 += stored.map(\.id) }
    }
    await #expect(throws: InjectedFault.self) { try await observable.store(cars) }
    observation.cancel()
    #expect(told.withLock { $0 } == [1, 2, 3, 4])
    let other: any Repository<Car> = FaultyRepository(RepositoryMock<Car> { _ in [] }, .none)
    #expect(!(other is any ObservableRepository<Car>))
    #expect(!(other is any TransactionalRepository<Car>))
  }

  @Test
  func `A faulty repository keeps a ledger when what it wraps does, and saves all or nothing`()
    async throws
  {
    let wrapped = LedgeredCars()
    let schedule = FaultSchedule(.breaksOff(after: 1), on: .number(1))
      .and(.losesAnswer, on: .number(2))
    let faulty = FaultyRepository(wrapped, schedule)
    let transactional: any TransactionalRepository<Car> = faulty
    let ledger = try #require(transactional.fetchLedger)
    let stamp = FetchStamp(
      tag: "cars", record: FetchRecord(fetchedAt: .distantPast), ledger: ledger)
    let write = StoreWrite([.storeOrUpdate(cars)], stamp: stamp)
    await #expect(throws: InjectedFault.self) {
      try await transactional.commit(write)
    }
    #expect(try await ledger.record(for: "cars") == nil)
    #expect(try await wrapped.find(Criteria()).value == [])
    await #expect(throws: InjectedFault.self) {
      try await transactional.commit(write)
    }
    #expect(try await ledger.record(for: "cars") == stamp.record)
    #expect(try await wrapped.find(Criteria()).value.count == 4)
  }

  @Test func `A cache over a repository that flaps keeps what it has`() async throws {
    let evocation = Evocation()
    evocation.register(for: Car.self).strategy(.default())
      .repository(
        remote: FaultyRepository(
          InMemoryRepository(cars), FaultSchedule(.fails(), on: .first(1, ofEvery: 2)))
      )
      .repository(local: InMemoryRepository<Car>())
    let cache = evocation.cache(Car.self)
    cache.requirements = Criteria()
    guard case .failed(let error) = try await cache.refresh() else {
      Issue.record("The first fetch should have failed.")
      return
    }
    #expect("\(error)".contains("Call 1, find, fails"))
    #expect(try await cache.refresh() == .successful)
    #expect(try await cache.value(from: .cache).count == 4)
  }
}

/// Cars in memory, with a ledger beside them.
private struct LedgeredCars: ForwardingRepository, TransactionalRepository {
  let base = InMemoryRepository<Car>()
  let fetchLedger: (any FetchLedger)? = InMemoryFetchLedger()

  func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
    try await base.commit(write)
  }
}
