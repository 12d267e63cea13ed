#if os(macOS) || os(Linux)
  import Evocation
  import EvocationInspection
  import EvocationTesting
  import Fixtures
  import Foundation
  import TestSupport
  import TestTraits
  import Testing

  @testable import EvocationHTTP
  @testable import TransportSuite

  /// Keeps the kinds of calls, in order, and refuses some.
  private struct Noting: RepositoryInterceptor {
    struct Refused: Error {}

    let kinds = Record<String>()
    var refused: String?

    func perform<Model: Sendable, Value: Sendable>(
      _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
    ) async throws -> Value {
      kinds.append(call.kind.rawValue)
      guard call.kind.rawValue != refused else { throw Refused() }
      return try await body(call)
    }
  }

  /// A repository over HTTP in an interceptor, which loses nothing.
  @Suite(.patient) struct HTTPInterceptedTests {
    private let noting = Noting()

    @Test func `Evocation asks it for everything that it asks the repository inside it for`()
      async throws
    {
      var format = HTTPFormat.kinto
      format.parameters = ["q"]
      format.next = nil
      format.batch = .init("batch", size: 25, isAtomic: true)
      format.live = .events(path: "events")
      let service = try EventService().service()
      let plain = HTTPRepository<Thing>(service, "things", format: format)
      let remote: any Repository<Thing> = InterceptedRepository(
        InterceptedRepository(plain, by: noting), by: Noting())
      #expect(remote.role((any ParameterRepository<Thing>).self)?.parameters == ["q"])
      #expect(remote.role((any OpenEndedRepository<Thing>).self)?.openEnd == plain.openEnd)
      #expect(plain.openEnd != nil)
      let unit = try #require(remote.role((any UnitRepository<Thing>).self))
      #expect(unit.unitSize == 25 && unit.service == plain.service)
      #expect(unit.liveName == plain.liveName && unit.identifierKey == plain.identifierKey)
      unit.omit(["name"])
      #expect(plain.unsentKeys.contains("name"))
      #expect(remote.role((any LiveRepository<Thing>).self)?.sendsLiveChanges == true)
      #expect(remote.role((any LiveRepository<Thing>).self)?.announcesConnection == true)
      #expect(remote.role((any ChangesRepository<Thing>).self)?.listsChanges == plain.listsChanges)
      #expect(remote.role((any PagedRepository<Thing>).self) != nil)
      #expect(remote.role((any BatchingRepository<Thing>).self) != nil)
      #expect(remote.role((any ForgettingRepository).self) != nil)
      #expect(remote.role((any InspectedRemote).self)?.gateState.running == 0)
      #expect(!(remote is any ObservableRepository<Thing>))
      #expect(noting.kinds.elements == [])
    }

    @Test(.serialized, arguments: [Service.Dialect.plain, .links])
    func `It keeps the contract as the repository inside it does`(
      dialect: Service.Dialect
    )
      async throws
    {
      var reports: [RepositoryContract<Car>.Report] = []
      for isIntercepted in [false, true] {
        let service = try await Service.start(dialect: dialect, arguments: ["--empty"])
        defer { service.stop() }
        let configuration = dialect == .links ? Dialects.links() : Setup()
        let plain = HTTPRepository<Car>(at: service.url, "cars", configuration)
        let cars = Array(try Car.all().prefix(12).suffix(5))
        let contract = RepositoryContract(cars) { car in
          var car = car
          car.weight += 1
          return car
        }
        reports.append(
          isIntercepted
            ? await contract.report {
              _ = try await plain.remove(try await plain.find(Criteria()).value)
              return InterceptedRepository(plain, by: Noting())
            }
            : await contract.report {
              _ = try await plain.remove(try await plain.find(Criteria()).value)
              return plain
            })
      }
      #expect(reports[0].refused == reports[1].refused)
      #expect(reports.map { $0.violations.map(\.description) } == [[], []])
    }

    /// Things 1 to 9 in pages that links connect.
    private func linked() -> Scripted {
      Scripted { request in
        let found = (1...9).reversed()
        let (page, limit) = (request.number("page") ?? 1, request.number("per_page") ?? 4)
        let part = found.dropFirst((page - 1) * limit).prefix(limit)
        let next = "<https://example.com/things?page=\(page + 1)&per_page=\(limit)>; rel=\"next\""
        let headers = page * limit < found.count ? ["Link": next] : [:]
        return (200, headers, Thing.json(part.map { Thing(id: $0, name: "thing \($0)") }))
      }
    }

    @Test func `Its lists follow the links of the service, page by page and in a prefetch`()
      async throws
    {
      let things = try linked().things {
        $0.next = .link
        $0.filters.paging = .page(number: "page", size: "per_page")
        $0.filters.largestPage = 4
      }
      let evocation = Evocation()
      try evocation.register(
        Thing.self, remote: InterceptedRepository(things, by: noting),
        local: InMemoryRepository<Thing>(), strategy: .offlineFirst)
      let list = evocation.pagingCache(Thing.self, pageSize: 4)
      _ = try await list.refresh(force: true)
      _ = await list.goToNextPage()
      #expect(try await list.value(from: .cache).map(\.id) == [9, 8, 7, 6, 5, 4, 3, 2])
      #expect(noting.kinds.elements == ["find", "find"])
      #expect(await evocation.prefetch(Thing.self).data == 9)
      #expect(await evocation.count(model: Thing.self, rule: .localOnly).data == 9)
      #expect(noting.kinds.elements == ["find", "find", "find"])
    }

    @Test func `Its service's parameters are asked, and its limits are in an inspection`()
      async throws
    {
      let found = Scripted { request in
        (200, [:], Thing.json([Thing(id: 9, name: request.item("q"))]))
      }
      let things = try found.things { $0.parameters = ["q"] }
      let evocation = Evocation()
      try evocation.register(
        Thing.self, remote: InterceptedRepository(things, by: noting),
        local: InMemoryRepository<Thing>(), strategy: .remoteFirst)
      let result = await evocation.find(model: Thing.self, criteria: ["q": "odd"])
      #expect(result.data == [Thing(id: 9, name: "odd")])
      let service = try #require(await evocation.inspection().services.first)
      #expect(service.name == "https://example.com:443" && service.gate?.circuit == .closed)
    }

    @Test func `Its changes arrive, and the interceptor can refuse them`() async throws {
      let server = EventService()
      var format = HTTPFormat.rest
      format.live = .events(path: "{path}/events")
      let plain = HTTPRepository<Thing>(try server.service(), "things", format: format)
      let stream = InterceptedRepository(plain, by: noting).liveChanges(since: nil)
      #expect(noting.kinds.elements == [])
      let texts = Record<String>()
      let reading = Task {
        for try await changes in stream { texts.append(changes.text) }
      }
      let connection = try await server.connection()
      try await eventually("the connection") { texts.elements == [""] }
      connection.send("stored", #"{"model": {"id": 1}}"#)
      try await eventually("the first change") { texts.elements == ["", "+1 "] }
      connection.send("removed", #"{"id": 1}"#)
      try await eventually("the second change") { texts.elements == ["", "+1 ", "-1 "] }
      #expect(noting.kinds.elements == ["liveChanges"])
      reading.cancel()
      try await eventually("the end") { connection.isOver }
      let refusing = InterceptedRepository(plain, by: Noting(refused: "liveChanges"))
      await #expect(throws: Noting.Refused.self) {
        for try await _ in refusing.liveChanges(since: nil) {}
      }
    }

    @Test func `Writes that are made as one are one request, which the interceptor sees`()
      async throws
    {
      let service = try await Service.start(
        data: [Car.file], dialect: .records, arguments: ["--empty"])
      var configuration = Dialects.records()
      configuration.batch = .init("transaction", size: 25, isAtomic: true)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", configuration)
      let evocation = Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
      try evocation.register(
        RecordCar.self, remote: InterceptedRepository(cars, by: noting),
        local: InMemoryRepository<RecordCar>(), strategy: .offlineFirst)
      _ = try await evocation.together { writes in
        try await writes.storeOne(RecordCar(car(1, "a")))
        try await writes.storeOne(RecordCar(car(2, "b")))
      }
      #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
      #expect(try await service.lines() == ["POST /transaction"])
      #expect(noting.kinds.elements == ["together"])
    }
  }
#endif
