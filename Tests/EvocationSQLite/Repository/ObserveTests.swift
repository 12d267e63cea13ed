import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct ObserveTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let evocation = Evocation()

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    evocation.register(for: Car.self).repository(local: try SQLiteRepository<Car>(database))
      .strategy(.localOnly)
  }

  private func ids(_ result: Evocation.Result<[Car]>?) -> [Int]? {
    result?.data?.map(\.id)
  }

  @Test func `The present answer comes first, then one for each commit that changes it`()
    async throws
  {
    let criteria = (Criteria.Key("year") >= 2000).sorted(by: "name")
    _ = await evocation.storeOne(Car(id: 1, name: "b", year: 2000))
    var answers = evocation.observe(model: Car.self, criteria: criteria).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1])
    _ = await evocation.store([
      Car(id: 2, name: "a", year: 2001), Car(id: 3, name: "a", year: 1999),
    ])
    _ = await evocation.updateOne(Car(id: 3, name: "c", year: 2002))
    _ = await evocation.updateOne(Car(id: 3, name: "c", year: 2002))
    _ = await evocation.storeOrUpdate([Car(id: 2, name: "z", year: 2001)])
    _ = await evocation.removeOne(Car(id: 1, name: ""))
    #expect(ids(await answers.next(isolation: nil)) == [2, 1])
    #expect(ids(await answers.next(isolation: nil)) == [2, 1, 3])
    #expect(ids(await answers.next(isolation: nil)) == [1, 3, 2])
    #expect(ids(await answers.next(isolation: nil)) == [3, 2])
    try await database.write { _ = try $0.execute("UPDATE car SET year = 1 WHERE id = 3") }
    #expect(ids(await answers.next(isolation: nil)) == [2])
  }

  @Test func `A page is filled up from behind it`() async throws {
    _ = await evocation.store((1...5).map { Car(id: $0, name: "a") })
    let page = Criteria().offset(1).limit(2)
    var answers = evocation.observe(model: Car.self, criteria: page).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [2, 3])
    _ = await evocation.removeOne(Car(id: 3, name: ""))
    #expect(ids(await answers.next(isolation: nil)) == [2, 4])
    _ = await evocation.removeOne(Car(id: 1, name: ""))
    #expect(ids(await answers.next(isolation: nil)) == [4, 5])
  }

  @Test func `Mirroring is one answer`() async throws {
    let cars = try SQLiteRepository<Car>(database)
    _ = await evocation.store((1...3).map { Car(id: $0, name: "a") })
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [1, 2, 3])
    try await cars.mirror([Car(id: 2, name: "b"), Car(id: 4, name: "c")], for: Criteria())
    #expect(ids(await answers.next(isolation: nil)) == [2, 4])
  }

  @Test func `A bulk write is seen whole`() async throws {
    var answers = evocation.observe(model: Car.self, criteria: Criteria.Key("year") > 10)
      .makeAsyncIterator()
    #expect(ids(await answers.next(isolation: nil)) == [])
    _ = await evocation.store((0..<5_000).map { Car(id: $0, name: "a", year: $0) })
    #expect(ids(await answers.next(isolation: nil)) == Array(11..<5_000))
  }

  @Test func `Answers are those of a fresh question after every write, whatever the criteria`()
    async throws
  {
    var random = Trials.random("SQLite answers after every write")
    for round in 0..<20 {
      let cars = try SQLiteRepository<Car>(database, table: "round\(round)")
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(local: cars).strategy(.localOnly)
      let criteria = Self.criteria(&random)
      var answers = evocation.observe(model: Car.self, criteria: criteria).makeAsyncIterator()
      var shown = await answers.next(isolation: nil)?.data
      for _ in 0..<25 {
        try await write(to: cars, "round\(round)", &random)
        let expected = try await cars.find(criteria).value
        if shown != expected { shown = await answers.next(isolation: nil)?.data }
        #expect(shown == expected)
      }
    }
  }

  @Test func `An observer that begins during a write is told, whichever part changes something`()
    async throws
  {
    let hooks = try SQLiteRepository<Hook>(.inMemory())
    let told = Recorder<Hook>()
    let observation = Lock<Evocation.Observation?>(nil)
    let write = StoreWrite([
      .remove([
        Hook(id: 1) {
          guard observation.withLock({ $0 == nil }) else { return }
          let begun = hooks.observeChanges { told.record($0) }
          observation.withLock { $0 = begun }
        }
      ]),
      .store([Hook(id: 2)]),
    ])
    try await hooks.commit(write)
    #expect(told.told.count == 1)
    observation.withLock { $0 }?.cancel()
  }

  private static func criteria(_ random: inout SeededGenerator) -> Criteria {
    var criteria = Criteria.Key("year") >= random.count(0...4)
    if random.chance(30) { criteria = criteria && Criteria.Key("year") < 6 }
    if random.chance(20) { criteria = Criteria.Key("name").hasPrefix("a") || ["year": nil] }
    if random.chance(50) { criteria = criteria.sorted(by: "name", descending: random.chance(50)) }
    return random.chance(40) ? criteria.limit(3).offset(random.count(0...2)) : criteria
  }

  private func write(
    to cars: SQLiteRepository<Car>, _ table: String, _ random: inout SeededGenerator
  ) async throws {
    func car() -> Car {
      Car(
        id: random.count(0...6), name: random.pick(["a", "ab", "b", "c"]),
        year: random.chance(10) ? nil : random.count(0...6))
    }
    let some = (0..<random.count(1...3)).map { _ in car() }
    switch random.count(0...5) {
    case 0: try await cars.update(some)
    case 1: try await cars.remove(some)
    case 2: try await cars.mirror(some, for: Criteria.Key("year") <= 3)
    case 3:
      let id = random.count(0...6)
      try await database.write { _ = try $0.execute("DELETE FROM \(table) WHERE id = ?", [id]) }
    default: try await cars.storeOrUpdate(some)
    }
  }
}

/// Does something when it is encoded, which a write does inside its transaction.
private struct Hook: Codable, Identifiable, Sendable {
  enum CodingKeys: CodingKey { case id }

  let id: Int
  let action: @Sendable () -> Void

  init(id: Int, action: @escaping @Sendable () -> Void = {}) {
    self.id = id
    self.action = action
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(id: try container.decode(Int.self, forKey: .id))
  }

  func encode(to encoder: any Encoder) throws {
    action()
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
  }
}
