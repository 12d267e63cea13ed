import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// Long lists, which are taken in batches while they come.
  @Suite(.patient) struct HTTPBatchesTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    @Test(arguments: [1, 7, 100, 406, 1000])
    func `Batches are together what a find gives`(size: Int) async throws {
      let cars = service.cars()
      let criteria = Criteria().sorted(by: "year", descending: true)
      let batches = Record<[Car]>()
      let answer = try await cars.find(criteria, inBatchesOf: size) { batches.append($0.value) }
      #expect(batches.elements.flatMap(\.self) == (try await cars.find(criteria).value))
      #expect(batches.elements.allSatisfy { $0.count <= size && !$0.isEmpty })
      #expect(answer.value == 406)
      #expect(answer.metadata["status"] as? Int == 200)
    }

    @Test func `A batch has the versions of its models, and makes older ones forgotten`()
      async throws
    {
      let service = try await Service.start(dialect: .records)
      func repository(
        _ change: (inout Setup) -> Void = { _ in }
      )
        -> HTTPRepository<RecordCar>
      {
        var configuration = Dialects.records()
        change(&configuration)
        return HTTPRepository(at: service.url, "cars", configuration)
      }
      let filtering = repository { $0.filtersHere = true }
      let all = try await repository().find(Criteria())
      let part: Criteria = ["year": 1982] || ["year": 1970]
      let found = try await filtering.find(part)
      for (cars, criteria, expected) in [
        (repository(), Criteria(), all), (filtering, part, found),
        (repository { $0.filters.largestPage = 9 }, Criteria().limit(20), nil),
        (repository { $0.sendsIfMatch = false }, Criteria(), nil),
      ] {
        let batches = Record<Response<[RecordCar]>>()
        _ = try await cars.find(criteria, inBatchesOf: 7) { batches.append($0) }
        let models = batches.elements.flatMap(\.value)
        let versions = batches.elements.flatMap(\.versions)
        if let expected {
          #expect(models == expected.value && versions == expected.versions)
        } else {
          #expect(versions == (models.count == 20 ? Array(all.versions.prefix(20)) : []))
        }
      }
    }

    @Test func `Batches that bring newer versions make older tags forgotten`() async throws {
      let (cars, others) = (service.cars(), service.cars())
      _ = try await cars.findOne(["id": 1])
      _ = try await others.updateOne(car(1, "theirs"))
      _ = try await cars.find(Criteria().limit(3), inBatchesOf: 2) { _ in }
      #expect(try await cars.updateOne(car(1, "ours")).value?.name == "ours")
      #expect(try await service.requests().last?.headers["if-match"] == nil)
    }

    @Test func `An answer without models gives no batch`() async throws {
      let batches = Record<[Car]>()
      let answer = try await service.cars().find(["year": 1], inBatchesOf: 5) {
        batches.append($0.value)
      }
      #expect(answer.value == 0 && batches.elements.isEmpty)
    }

    @Test func `A page that is cut off fails after the pages that came`() async throws {
      let service = try await Service.start(dialect: .links)
      let cars = HTTPRepository<Car>(at: service.url, "cars", Dialects.links())
      let batches = Record<[Car]>()
      let error = await failure {
        try await cars.find(Criteria(), inBatchesOf: 10) { batch in
          if batches.elements.count == 9 { try await service.control(.truncated()) }
          batches.append(batch.value)
        }
      }
      #expect((error as? HTTPError)?.code == .undecodable)
      #expect(batches.elements.map(\.count) == Array(repeating: 10, count: 10))
    }

    @Test func `What the taker throws ends the request`() async throws {
      struct Enough: Error {}
      let error = await failure {
        try await service.cars().find(Criteria(), inBatchesOf: 10) { _ in throw Enough() }
      }
      #expect(error is Enough)
    }

    @Test func `A refusal is the error that a find has`() async throws {
      try await service.control(.status(403, body: "{\"message\": \"no\"}"))
      let error =
        await failure {
          try await service.cars().find(Criteria(), inBatchesOf: 10) { _ in }
        } as? HTTPError
      #expect(error?.code == .unauthorized)
      #expect(error?.message == "no")
    }

    @Test func `A prefetch brings all down to local, and says so to caches and rules`()
      async throws
    {
      let database = try SQLiteDatabase.inMemory()
      let local = try SQLiteRepository<Car>(database)
      let evocation = Evocation()
      evocation.register(for: Car.self)
        .repository(remote: service.cars())
        .repository(local: local)
        .strategy(.cacheFirst(maxAge: .seconds(60)))
      let result = await evocation.prefetch(Car.self)
      #expect(result.error == nil && result.data == 406 && result.origin == .remote)
      #expect(try await local.count(Criteria()) == 406)
      let found = await evocation.find(model: Car.self)
      #expect(found.origin == .local && found.data?.count == 406)
      let again = await evocation.prefetch(Car.self, maxAge: .seconds(60))
      #expect(again.data == 0 && again.origin == .local)
      #expect(try await service.requests().count == 1)
      await evocation.prefetch(Car.self, criteria: ["origin": "Japan"], maxAge: .seconds(3600))
      #expect(try await service.requests().count == 2)
    }

    @Test func `A prefetch that ends too early leaves what was stored, and is not taken for whole`()
      async throws
    {
      let local = try SQLiteRepository<Car>(SQLiteDatabase.inMemory())
      let evocation = Evocation()
      evocation.register(for: Car.self)
        .repository(remote: service.cars { $0.maximumResponseSize = 20_000 })
        .repository(local: local)
        .strategy(.cacheFirst(maxAge: .seconds(60)))
      let result = await evocation.prefetch(Car.self)
      #expect((result.error as? HTTPError)?.code == .tooLarge)
      let other = service.cars()
      evocation.register(for: Car.self).repository(remote: other).repository(local: local)
        .strategy(.cacheFirst(maxAge: .seconds(60)))
      #expect(await evocation.find(model: Car.self).origin == .remote)
    }
  }

  /// How much of a long list is in memory; one test at a time, since they count the process's models.
  @Suite(.serialized, .patient) struct HTTPBatchMemoryTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    @Test func `No more than two pages are held while a find takes its models`() async throws {
      let service = try await Service.start(dialect: .links)
      let cars = HTTPRepository<CountedCar>(at: service.url, "cars", Dialects.links())
      CountedCar.Token.most.withLock { $0 = 0 }
      let answer = try await cars.find(Criteria(), inBatchesOf: 1000) { _ in }
      #expect(answer.value == 406)
      let most = CountedCar.Token.most.withLock { most in most }
      #expect((100...200).contains(most))
    }

    @Test func `No more than two pages are held while a prefetch stores its models`()
      async throws
    {
      let cars = (1...9_500).map { ["id": $0] }
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString)").appendingPathComponent("cars.json")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
      try JSONEncoder().encode(cars).write(to: file)
      let service = try await Service.start(data: [file])
      defer { service.stop() }
      let local = try SQLiteRepository<CountedCar>(SQLiteDatabase.inMemory())
      var parts = Setup()
      (parts.next, parts.filters.largestPage) = (.offset, 1000)
      let evocation = Evocation()
      evocation.register(for: CountedCar.self)
        .repository(remote: HTTPRepository<CountedCar>(at: service.url, "cars", parts))
        .repository(local: local)
      CountedCar.Token.most.withLock { $0 = 0 }
      let result = await evocation.prefetch(CountedCar.self)
      #expect(result.error == nil && result.data == 9_500)
      #expect(try await local.count(Criteria()) == 9_500)
      // A page has a thousand.
      let most = CountedCar.Token.most.withLock { most in most }
      #expect((1_000...2_000).contains(most))
    }
  }

  /// A car that is counted as long as anybody holds it.
  private struct CountedCar: Codable, Identifiable, Sendable {
    final class Token: Sendable {
      private static let alive = Lock(0)
      static let most = Lock(0)

      init() {
        let count = Self.alive.withLock { alive in
          alive += 1
          return alive
        }
        Self.most.withLock { $0 = max($0, count) }
      }

      deinit { Self.alive.withLock { $0 -= 1 } }
    }

    enum CodingKeys: CodingKey { case id }

    var id: Int
    let token = Token()
  }
#endif
