#if os(macOS) || os(Linux)
  import Evocation
  import EvocationTesting
  import Fixtures
  import Foundation
  import TestTraits
  import Testing

  @testable import EvocationHTTP
  @testable import TransportSuite

  /// Several writes that are made as one, at a service that carries out all or none of them.
  @Suite(.serialized, .patient) struct HTTPUnitTests {
    private struct App {
      let service: Service
      let evocation: Evocation
      let cars: HTTPRepository<RecordCar>
      let local: InMemoryRepository<RecordCar>

      /// The writes that the service was asked for, without those of other clients.
      func writes() async throws -> [String] {
        try await service.lines().filter { !$0.hasPrefix("GET") }
      }
    }

    private func app(batchOf size: Int = 25) async throws -> App {
      let service = try await Service.start(
        data: [Car.file, Airport.file], dialect: .records, arguments: ["--empty"])
      var configuration = Dialects.records()
      configuration.batch = .init("transaction", size: 25, isAtomic: true)
      configuration.batch?.size = size
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", configuration)
      #expect(cars.unitSize == size)
      let local = InMemoryRepository<RecordCar>()
      let evocation = Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
      evocation.register(for: RecordCar.self).repository(remote: cars).repository(local: local)
        .strategy(.offlineFirst)
      evocation.register(for: Airport.self)
        .repository(
          remote: HTTPRepository<Airport>(at: service.url, "airports", configuration)
        )
        .repository(local: InMemoryRepository<Airport>()).strategy(.offlineFirst)
      return App(service: service, evocation: evocation, cars: cars, local: local)
    }

    private func record(_ id: Int, _ name: String) -> RecordCar { RecordCar(car(id, name)) }

    @Test func `They are one request, whatever their models are`() async throws {
      let app = try await app()
      let delivery = try await app.evocation.together { writes in
        try await writes.storeOne(record(1, "a"))
        try await writes.storeOne(Airport(id: "SFO", name: "San Francisco"))
      }
      #expect(
        await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
      #expect(try await app.writes() == ["POST /transaction"])
      #expect(try await app.cars.find(Criteria()).value == [record(1, "a")])
      #expect(await delivery.value() == .delivered)
    }

    @Test func `A removal of what is gone is done, and the others are sent again without it`()
      async throws
    {
      let app = try await app()
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(record(1, "a"))
        try await writes.removeOne(record(9, "gone"))
        try await writes.storeOne(Airport(id: "SFO", name: "San Francisco"))
      }
      _ = await app.evocation.outbox.flush()
      #expect(await app.evocation.outbox.flush().left == 0)
      #expect(try await app.writes() == ["POST /transaction", "POST /transaction"])
      #expect(try await app.cars.find(Criteria()).value == [record(1, "a")])
    }

    @Test func `Those that are more than the service takes at once, or on one model, go singly`()
      async throws
    {
      let app = try await app(batchOf: 2)
      _ = try await app.evocation.together { writes in
        for id in 1...3 { try await writes.storeOne(record(id, "a")) }
      }
      #expect(await app.evocation.outbox.flush().sent == 3)
      // The last two of them fit.
      #expect(try await app.writes() == ["PUT /cars/car-1", "POST /transaction"])
      _ = try await app.evocation.together { writes in
        try await writes.updateOne(record(1, "b"))
        try await writes.updateOne(record(1, "c"))
      }
      #expect(await app.evocation.outbox.flush().sent == 2)
      #expect(
        try await app.writes().suffix(2) == ["PATCH /cars/car-1", "PATCH /cars/car-1"])
    }

    @Test func `Where one is refused the service has none of them, and all are parked`()
      async throws
    {
      let app = try await app()
      _ = try await app.cars.storeOne(record(2, "theirs"))
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(Airport(id: "SFO", name: "San Francisco"))
        try await writes.storeOne(record(1, "a"))
        try await writes.storeOne(record(2, "mine"))
      }
      #expect(
        await app.evocation.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 3))
      #expect(try await app.cars.find(Criteria()).value == [record(2, "theirs")])
      let entry = try #require(try await app.evocation.outbox.entries(of: RecordCar.self).last)
      try await app.evocation.outbox.discard(entry)
      #expect(try await app.evocation.outbox.status() == Outbox.Status())
      #expect(try await app.local.find(Criteria()).value == [record(2, "theirs")])
    }

    @Test func `A conflict of one is resolved before any of them is carried out`() async throws {
      let app = try await app()
      let both = Lock(false)
      _ = try app.evocation.proxy(for: RecordCar.self).conflicts { conflict in
        let isAlone = try await app.cars.count(Criteria()) == 1
        both.withLock { $0 = !isAlone }
        return try .mergedByFields(conflict)
      }
      var shared = record(1, "old")
      _ = await app.evocation.storeOne(shared)
      _ = await app.evocation.outbox.flush()
      shared.year = 1999
      _ = try await app.cars.updateOne(shared)
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(record(2, "new"))
        try await writes.updateOne(record(1, "mine"))
      }
      #expect(await app.evocation.outbox.flush().left == 0)
      shared.name = "mine"
      let found = try await app.cars.find(Criteria().sorted(by: "id")).value
      #expect(found == [shared, record(2, "new")])
      #expect(!both.withLock { $0 })
      #expect(!(try await app.writes()).contains("PATCH /cars/car-1 "))
    }

    @Test func `A credential that one of them refuses has the service left alone`() async throws {
      let app = try await app()
      let answers = #"{"responses": [{"status": 424}, {"status": 401, "body": {}}]}"#
      try await app.service.control(.status(200, body: answers).only(path: "/transaction"))
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(record(1, "a"))
        try await writes.storeOne(Airport(id: "SFO", name: "San Francisco"))
      }
      #expect(await app.evocation.outbox.flush().left == 2)
      guard case .authorization? = try await app.evocation.outbox.status().pause else {
        Issue.record("The service is asked on.")
        return
      }
      #expect(try await app.writes() == ["POST /transaction"])
      try await app.service.release()
      app.evocation.outbox.resume()
      #expect(await app.evocation.outbox.flush().left == 0)
    }

    @Test func `All of them are sent again with another credential, also those left undone`()
      async throws
    {
      let asked = Record<[String]>()
      let service = Scripted { request in
        guard request.method == "POST" else { return (404, [:], "") }
        let json = try JSONSerialization.jsonObject(with: request.body ?? Data())
        let parts = (json as? [String: [[String: Any]]])?["requests"] ?? []
        asked.append(parts.compactMap { $0["path"] as? String })
        let isOld = request.headers["Authorization"] == "old"
        let statuses = isOld ? [401, 424] : parts.map { _ in 201 }
        let answers = statuses.map { #"{"status": \#($0), "body": null}"# }
        return (200, [:], #"{"responses": [\#(answers.joined(separator: ","))]}"#)
      }
      var setup = Setup(.rest)
      setup.transport = service
      setup.batch = .init("batch", size: 10, isAtomic: true)
      setup.authorization = { $0 == .refusal ? "new" : "old" }
      let url = try #require(URL(string: "https://example.com"))
      let evocation = Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
      evocation.register(for: Thing.self)
        .repository(remote: HTTPRepository<Thing>(at: url, "things", setup))
        .repository(local: InMemoryRepository<Thing>()).strategy(.offlineFirst)
      evocation.register(for: Airport.self)
        .repository(remote: HTTPRepository<Airport>(at: url, "airports", setup))
        .repository(local: InMemoryRepository<Airport>()).strategy(.offlineFirst)
      _ = try await evocation.together { writes in
        try await writes.storeOne(Thing(id: 1))
        try await writes.storeOne(Airport(id: "SFO", name: "San Francisco"))
      }
      #expect(await evocation.outbox.flush().sent == 2)
      #expect(
        asked.elements == [["/things", "/airports"], ["/things", "/airports"]])
    }

    @Test func `Of a batch that is no unit only what was refused is sent again`() async throws {
      for isAtomic in [false, true] {
        let asked = Record<Int>()
        let service = Scripted { request in
          let json = try JSONSerialization.jsonObject(with: request.body ?? Data())
          let parts = (json as? [String: [Any]])?["requests"] ?? []
          asked.append(parts.count)
          let isOld = request.headers["Authorization"] == "old"
          let statuses = isOld ? [isAtomic ? 424 : 201, 401, 424] : parts.map { _ in 201 }
          let answers = statuses.map { #"{"status": \#($0), "body": null}"# }
          return (200, [:], #"{"responses": [\#(answers.joined(separator: ","))]}"#)
        }
        let things = try service.things {
          $0.format.routes = .restOneByOne
          $0.batch = .init("batch", size: 10, isAtomic: isAtomic)
          $0.authorization = { $0 == .refusal ? "new" : "old" }
        }
        let error = await failure { try await things.store(Thing.list(3)) }
        #expect((error == nil) == isAtomic)
        #expect(asked.elements == [3, isAtomic ? 3 : 1])
      }
    }

    @Test func `A batch that is refused names what was refused, and not what was left undone`()
      async throws
    {
      let answers = #"[{"status": 424}, {"status": 422, "body": {"message": "No."}}]"#
      let things = try Scripted { _ in (200, [:], #"{"responses": \#(answers)}"#) }.things {
        $0.format.routes = .restOneByOne
        $0.batch = .init("batch", size: 10, isAtomic: true)
      }
      let error = await failure { try await things.store(Thing.list(2)) } as? HTTPError
      #expect(error?.status == 422 && error?.message == "No.")
    }

    @Test func `Where the answer is lost they are known to be done, and done once`() async throws {
      let app = try await app()
      try await app.service.control(.hangUp(.beforeAnswer, times: 1).only(path: "/transaction"))
      _ = try await app.evocation.together { writes in
        try await writes.storeOne(record(1, "a"))
        try await writes.storeOne(Airport(id: "SFO", name: "San Francisco"))
      }
      _ = await app.evocation.outbox.flush()
      try await app.service.release()
      #expect(await app.evocation.outbox.flush().left == 0)
      #expect(try await app.evocation.outbox.status() == Outbox.Status())
      #expect(try await app.cars.find(Criteria()).value == [record(1, "a")])
    }
  }
#endif
