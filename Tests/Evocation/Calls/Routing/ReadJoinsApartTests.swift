import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCalls
@testable import EvocationValues

/// What keeps equal reads apart, and what is told of those that join.
@Suite(.patient) struct ReadJoinsApartTests {
  /// How a repository reads from inside its own read.
  enum Shape: CaseIterable {
    case plainly
    case asyncLet
    case taskGroup
    case task
  }

  @TaskLocal private static var user = "nobody"

  private let gate = Gate()
  private let clock = ManualClock()

  private func joined(_ evocation: Evocation, key: String? = nil) async throws {
    let proxy = try evocation.proxy(for: Car.self)
    let kind = ReadJoins.Kind(Find.self, proxy.wiring, key: key)
    try await eventually("a read that waits for another's result") {
      proxy.joins.waitingCount(kind, Criteria()) > 0
    }
  }

  @Test(arguments: Shape.allCases, [nil, .seconds(5)] as [Duration?])
  func `a read inside a read of the same waits for itself in no way`(
    _ shape: Shape, _ timeout: Duration?
  ) async {
    let evocation = Evocation(configuration: .init(clock: clock))
    let isFirst = Lock(true)
    evocation.register(for: Car.self)
      .strategy(Strategy(Strategy.Rule(synchronize: .off, timeout: timeout)))
      .repository(
        remote: RepositoryMock<Car> { _ in
          let goesOn = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
          }
          guard goesOn else { return [Car(id: 3)] }
          switch shape {
          case .plainly: return await evocation.find(model: Car.self).data ?? []
          case .asyncLet:
            async let inner = evocation.find(model: Car.self)
            return await inner.data ?? []
          case .taskGroup:
            return await withTaskGroup(of: [Car].self) { group in
              group.addTask { await evocation.find(model: Car.self).data ?? [] }
              return await group.next() ?? []
            }
          case .task: return await Task { await evocation.find(model: Car.self).data ?? [] }.value
          }
        })
    #expect(await evocation.find(model: Car.self).data == [Car(id: 3)])
  }

  @Test func `two reads that read each other's model inside do not wait for each other`() async {
    let evocation = Evocation()
    let (cars, boats) = (Gate(), Gate())
    let isFirst = Lock((car: true, boat: true))
    evocation.register(for: Car.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Car> { _ in
        let goesOn = isFirst.withLock { isFirst in
          defer { isFirst.car = false }
          return isFirst.car
        }
        guard goesOn else { return [Car(id: 1)] }
        try await cars.pass()
        _ = await evocation.find(model: Boat.self)
        return [Car(id: 1)]
      })
    evocation.register(for: Boat.self).strategy(.remoteOnly).repository(
      remote: RepositoryMock<Boat> { _ in
        let goesOn = isFirst.withLock { isFirst in
          defer { isFirst.boat = false }
          return isFirst.boat
        }
        guard goesOn else { return [Boat(id: 1)] }
        try await boats.pass()
        _ = await evocation.find(model: Car.self)
        return [Boat(id: 1)]
      })
    async let car = evocation.find(model: Car.self)
    await cars.arrivals(1)
    async let boat = evocation.find(model: Boat.self)
    await boats.arrivals(1)
    cars.open()
    boats.open()
    #expect(await car.data == [Car(id: 1)])
    #expect(await boat.data == [Boat(id: 1)])
  }

  private struct Boat: Identifiable, Codable, Equatable, Sendable { let id: Int }

  @Test func `what is read after a write has ended has the write in it`() async {
    let (evocation, reads, writes) = (Evocation(), Gate(), Gate())
    let year = Lock(1970)
    let remote = RepositoryMock<Car> { call in
      if case .updateOne(let car) = call {
        try await writes.pass()
        year.withLock { $0 = 2000 }
        return [car]
      }
      let answer = [Car(id: 1, year: year.withLock { $0 })]
      try await reads.pass()
      return answer
    }
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    let write = Task { await evocation.updateOne(Car(id: 1, year: 2000)) }
    await writes.arrivals(1)
    let old = Task { await evocation.find(model: Car.self) }
    await reads.arrivals(1)
    writes.open()
    _ = await write.value
    let new = Task { await evocation.find(model: Car.self) }
    await reads.arrivals(2)
    reads.open()
    #expect(await old.value.data == [Car(id: 1, year: 1970)])
    #expect(await new.value.data == [Car(id: 1, year: 2000)])
  }

  @Test func `a join key keeps the reads of two users apart, and joins those of one`() async throws
  {
    let remote = RepositoryMock<Car> { [gate] _ in
      let user = Self.user
      try await gate.pass()
      return [Car(id: user.count)]
    }
    let evocation = Evocation(configuration: .init(joinKey: { Self.user }))
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    let read = { (user: String) in
      Self.$user.withValue(user) { Task { await evocation.find(model: Car.self) } }
    }
    let first = read("Ann")
    await gate.arrivals(1)
    let (second, third) = (read("Paul"), read("Ann"))
    await gate.arrivals(2)
    try await joined(evocation, key: "Ann")
    gate.open()
    #expect(await first.value.data == [Car(id: 3)])
    #expect(await second.value.data == [Car(id: 4)])
    #expect(await third.value.data == [Car(id: 3)])
    #expect(remote.calls.count == 2)
  }

  @Test func `a read waits for none of lower priority, and for one of a higher`() async throws {
    let remote = RepositoryMock<Car> { [gate] _ in
      try await gate.pass()
      return [Car(id: 1)]
    }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    let read = { (priority: TaskPriority) in
      Task.detached(priority: priority) { await evocation.find(model: Car.self) }
    }
    let medium = read(.medium)
    await gate.arrivals(1)
    let low = read(.background)
    try await joined(evocation)
    let high = read(.high)
    await gate.arrivals(2)
    gate.open()
    _ = await (low.value, medium.value, high.value)
    #expect(remote.calls.count == 2)
  }

  @Test func `a read that joined is told of as such, and counts as no request`() async throws {
    let traces = Lock<[Evocation.Trace]>([])
    let remote = RepositoryMock<Car> { [gate] _ in
      try await gate.pass()
      return [Car(id: 1)]
    }
    let evocation = Evocation(
      configuration: .init(onTrace: { trace in traces.withLock { $0.append(trace) } }))
    evocation.register(for: Car.self).repository(remote: remote).strategy(.remoteOnly)
    let first = Task { await evocation.find(model: Car.self) }
    await gate.arrivals(1)
    let second = Task { await evocation.find(model: Car.self) }
    try await joined(evocation)
    gate.open()
    _ = await first.value
    let result = await second.value
    #expect(result.origin == .remote && result.metadata[.remote]?.count == 1)
    #expect(
      "\(result.trace)"
        == "find Car: remote was skipped: an equal read was running, and this one "
        + "shares its result.")
    #expect(traces.withLock { $0.flatMap(\.steps).reduce(0) { $0 + $1.attempts } } == 1)
  }

  @Test func `what was asked behind an answer before a write keeps nothing away after it`()
    async throws
  {
    let remote = RepositoryMock<Car> { [gate] call in
      guard case .find = call else { return [Car(id: 2)] }
      try await gate.pass()
      return [Car(id: 1)]
    }
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository([Car(id: 2)])).strategy(.remoteFirst)
    let rule = Strategy.Rule.staleWhileRevalidate(maxAge: .zero)
    _ = await evocation.find(model: Car.self, rule: rule)
    await gate.arrivals(1)
    _ = await evocation.updateOne(Car(id: 2))
    _ = await evocation.find(model: Car.self, rule: rule)
    await gate.arrivals(2)
    gate.open()
  }

  @Test func `what is asked behind an answer is no part of the write around it`() async throws {
    let (evocation, isApart) = (Evocation(), Promise<Bool>())
    let remote = RepositoryMock<Car> { call in
      if case .find = call {
        isApart.fulfil(WriteScope.open == nil)
        return []
      }
      _ = await evocation.find(
        model: Car.self, rule: .staleWhileRevalidate(maxAge: .zero))
      return [Car(id: 2)]
    }
    evocation.register(for: Car.self).repository(remote: remote)
      .repository(local: InMemoryRepository([Car(id: 2)])).strategy(.remoteFirst)
    _ = await evocation.updateOne(Car(id: 2))
    #expect(await isApart.value)
  }
}
