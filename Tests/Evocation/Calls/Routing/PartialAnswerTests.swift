import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport

/// A service that sorts by id, the newest first, and gives at most `most` models at once.
private struct Newest: ForwardingRepository {
  let base: InMemoryRepository<Car>
  var most = Int.max
  var saysTotal = false
  let asked = Lock(0)

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    asked.withLock { $0 += 1 }
    var all = criteria
    (all.limit, all.offset) = (nil, 0)
    let found = try await base.find(all).value.sorted { $0.id > $1.id }
    let part = found.dropFirst(criteria.offset).prefix(min(most, criteria.limit ?? .max))
    return Response(Array(part), metadata: saysTotal ? ["totalCount": found.count] : [:])
  }
}

/// A local repository of an app's own, which takes what the protocol has by default.
private struct Own: ForwardingRepository {
  let base: InMemoryRepository<Car>
}

/// What becomes of the device's models when an answer has only some of those that match.
@Suite(.patient) struct PartialAnswerTests {
  private let clock = ManualClock()
  private let cars = (1...20).map { Car(id: $0, model: "Golf", year: $0.isMultiple(of: 2) ? 2 : 1) }

  private static let strategies: [(String, Strategy)] = [
    ("remoteFirst", .remoteFirst), ("cacheFirst", .cacheFirst(maxAge: .seconds(60))),
    ("staleWhileRevalidate", .staleWhileRevalidate(maxAge: .seconds(60))),
    ("offlineFirst", .offlineFirst),
  ]

  private func app(
    _ service: some Repository<Car>, _ strategy: Strategy, isOwn: Bool = false
  ) -> (Evocation, InMemoryRepository<Car>) {
    let evocation = Evocation(configuration: .init(clock: clock))
    let local = InMemoryRepository(cars)
    let proxy = evocation.register(for: Car.self).repository(remote: service)
    _ = isOwn ? proxy.repository(local: Own(base: local)) : proxy.repository(local: local)
    proxy.strategy(strategy)
    return (evocation, local)
  }

  @Test(arguments: [0, 1, 2, 3], [false, true])
  func `a read of some models removes none of the others from the device`(
    index: Int, isOwn: Bool
  ) async throws {
    let strategy = Self.strategies[index].1
    if isOwn, index == 3 { return }
    let (evocation, local) = app(Newest(base: InMemoryRepository(cars)), strategy, isOwn: isOwn)
    let few = await evocation.find(model: Car.self, criteria: Criteria().limit(3))
    #expect(few.data?.map(\.id) == [20, 19, 18])
    #expect(try await local.count(Criteria()) == 20)
    let some = await evocation.find(model: Car.self, criteria: (["year": 1] as Criteria).limit(3))
    #expect(some.data?.map(\.id) == [19, 17, 15])
    let one = await evocation.findOne(model: Car.self, criteria: ["year": 1])
    #expect(one.data?.id == 19)
    let page = await evocation.find(model: Car.self, criteria: Criteria().limit(3).offset(3))
    #expect(page.data?.map(\.id) == [17, 16, 15])
    let rest = await evocation.find(model: Car.self, criteria: Criteria().limit(5).offset(18))
    #expect(rest.data?.map(\.id) == [2, 1])
    #expect(try await local.count(Criteria()) == 20)
  }

  @Test(arguments: [false, true])
  func `an answer that the service cut below the limit removes nothing`(isOwn: Bool) async throws {
    let service = Newest(base: InMemoryRepository(cars), most: 10)
    let (evocation, local) = app(service, .remoteFirst, isOwn: isOwn)
    let found = await evocation.find(model: Car.self, criteria: Criteria().limit(15))
    #expect(found.data?.count == 10)
    #expect(try await local.count(Criteria()) == 20)
  }

  @Test(arguments: [false, true])
  func `an answer that no limit has cut removes what it does not have`(isOwn: Bool) async throws {
    let there = InMemoryRepository(Array(cars.prefix(4)))
    let (evocation, local) = app(there, .remoteFirst, isOwn: isOwn)
    #expect(await evocation.find(model: Car.self, criteria: Criteria().limit(6)).error == nil)
    #expect(try await local.find(Criteria()).value.map(\.id) == [1, 2, 3, 4])

    let said = Newest(base: there, saysTotal: true)
    let (other, device) = app(said, .remoteFirst, isOwn: isOwn)
    #expect(await other.find(model: Car.self, criteria: Criteria().limit(4)).error == nil)
    #expect(try await device.find(Criteria()).value.map(\.id) == [1, 2, 3, 4])
  }

  @Test(arguments: [false, true])
  func `a model found by its id is all that the id names, and none means that it is gone`(
    isOwn: Bool
  ) async throws {
    let service = Newest(base: InMemoryRepository(Array(cars.prefix(4))))
    let (evocation, local) = app(service, .cacheFirst(maxAge: .seconds(60)), isOwn: isOwn)
    #expect(await evocation.findOne(model: Car.self, criteria: ["id": 2]).data?.id == 2)
    #expect(await evocation.findOne(model: Car.self, criteria: ["id": 2]).origin == .local)
    #expect(await evocation.findOne(model: Car.self, criteria: ["id": 9]).data == nil)
    #expect(try await local.count(Criteria()) == 19)
    #expect(try await local.findOne(["id": 9]).value == nil)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `some models are never shown from the device as if the service had chosen them`(
    index: Int
  ) async throws {
    let service = Newest(base: InMemoryRepository(cars))
    let (evocation, _) = app(service, Self.strategies[index].1)
    for criteria in [Criteria().limit(3), Criteria().limit(3).offset(3)] {
      let ids = (0..<3).map { 20 - criteria.offset - $0 }
      for _ in 0..<2 {
        let found = await evocation.find(model: Car.self, criteria: criteria)
        #expect(found.data?.map(\.id) == ids && found.origin == .remote)
      }
    }
    #expect(service.asked.withLock { $0 } == 4)
  }

  @Test func `a prefetch of some models does not make a later read of them fresh`() async throws {
    let service = Newest(base: InMemoryRepository(cars))
    let (evocation, _) = app(service, .cacheFirst(maxAge: .seconds(60)))
    let some = Criteria().limit(3)
    for _ in 0..<2 {
      let fetched = await evocation.prefetch(Car.self, criteria: some, maxAge: .seconds(60))
      #expect(fetched.data == 3 && fetched.origin == .remote)
    }
    #expect(await evocation.find(model: Car.self, criteria: some).data?.map(\.id) == [20, 19, 18])
  }

  @Test func `a repository told to mirror some models removes nothing once the limit is reached`()
    async throws
  {
    let twice = [cars[19], cars[19], cars[18]]
    for isOwn in [false, true] {
      func mirror(_ models: [Car], _ criteria: Criteria, keeping: [Car] = []) async throws -> Int {
        let base = InMemoryRepository(cars)
        let store: any Repository<Car> = isOwn ? Own(base: base) : base
        _ = try await store.mirror(models, for: criteria, keeping: keeping)
        return try await base.count(Criteria())
      }
      #expect(try await mirror(Array(cars.suffix(3)), Criteria().limit(3)) == 20)
      #expect(try await mirror(twice, Criteria().limit(3)) == 20)
      #expect(try await mirror(Array(cars.suffix(2)), Criteria().limit(3)) == 2)
      #expect(try await mirror([cars[1]], Criteria().limit(2), keeping: [cars[2], cars[3]]) == 3)
      #expect(try await mirror([], Criteria().limit(0)) == 20)
      let cursor = try Criteria().cursor(at: cars[3])
      #expect(try await mirror([], Criteria().limit(3).after(cursor)) == 20)
    }
  }
}
