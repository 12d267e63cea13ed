import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// Lists that go on, and what is said beside them.
  @Suite(.patient) struct HTTPPagesTests {
    private let service: Service
    private let cars = [car(1), car(2)]

    init() async throws {
      service = try await Service.start()
    }

    private func json(_ models: [Car]) throws -> String {
      String(decoding: try JSONEncoder().encode(models), as: UTF8.self)
    }

    @Test func `An address in a header or in the body leads on`() async throws {
      let first = try json([cars[0]])
      let second = try json([cars[1]])
      try await service.control(
        .status(200, times: 1, headers: ["Next-Page": "/cars?page=2"], body: first),
        .status(200, times: 1, body: second),
        .status(200, times: 1, body: #"{"data": \#(first), "links": {"next": "?page=2"}}"#),
        .status(200, times: 1, body: #"{"data": \#(second), "links": {"next": null}}"#))
      let byHeader = service.cars { $0.next = .header("Next-Page") }
      #expect(try await byHeader.find(Criteria()).value == cars)
      let byKey = service.cars {
        $0.envelope = .key("data")
        $0.next = .key("links.next")
      }
      #expect(try await byKey.find(Criteria()).value == cars)
      #expect(
        try await service.lines() == [
          "GET /cars", "GET /cars?page=2", "GET /cars", "GET /cars?page=2",
        ])
    }

    @Test(arguments: [
      (
        "<http://example.org/cars?page=2>",
        "continues at example.org, and Evocation does not "
          + "follow links to other hosts"
      ),
      ("</cars>", "has pages that form a circle; let the last page name no next one"),
    ])
    func `A list that leads astray is an error`(link: String, reason: String) async throws {
      try await service.control(
        .status(200, headers: ["Link": "\(link); rel=\"next\""], body: "[]"))
      let error = await failure { try await service.cars().find(Criteria()) } as? HTTPError
      #expect(error?.code == .incompleteList)
      #expect(error?.description == "GET /cars got a list that \(reason).")
    }

    @Test func `All pages that are held are together no larger than one answer may be`()
      async throws
    {
      let service = try await Service.start(dialect: .links)
      func cars(_ size: Int) -> HTTPRepository<Car> {
        var configuration = Dialects.links()
        configuration.maximumResponseSize = size
        return HTTPRepository(at: service.url, "cars", configuration)
      }
      #expect(try await cars(200_000).find(Criteria()).value.count == 406)
      let error = await failure { try await cars(40_000).find(Criteria()) } as? HTTPError
      #expect(error?.code == .tooLarge)
      // In batches nothing is held.
      let count = try await cars(40_000).find(Criteria(), inBatchesOf: 50) { _ in }.value
      #expect(count == 406)
    }

    @Test func `A list has as many pages as are allowed`() async throws {
      let service = try await Service.start(dialect: .links)
      func cars(_ pages: Int) -> HTTPRepository<Car> {
        var configuration = Dialects.links()
        configuration.maximumPages = pages
        return HTTPRepository(at: service.url, "cars", configuration)
      }
      #expect(try await cars(5).find(Criteria()).value.count == 406)
      let error = await failure { try await cars(4).find(Criteria()) } as? HTTPError
      #expect(
        error?.description == "GET /cars got a list that has more than 4 pages; ask for a part, "
          + "or raise maximumPages.")
      #expect(try await cars(4).find(Criteria().limit(50)).value.count == 50)
    }

    @Test func `A limit beyond the largest page takes several, and no more`() async throws {
      let service = try await Service.start(dialect: .links)
      let cars = HTTPRepository<Car>(at: service.url, "cars", Dialects.links())
      let some = try await cars.find(Criteria().limit(250).offset(100))
      #expect(some.value.map(\.id) == Array(101...350))
      #expect(
        try await service.lines() == [
          "GET /cars?page=2&per_page=100", "GET /cars?per_page=100&page=3",
          "GET /cars?per_page=100&page=4",
        ])
      let next = try #require(some.metadata["next"] as? URL)
      #expect(next.query()?.contains("page=4") == true)
      #expect(try await cars.find(Criteria().after(.link(next))).value.first?.id == 301)
    }

    @Test func `A list by links skips nothing of a page that is longer than it was asked for`()
      async throws
    {
      let three = try json([cars[0], cars[1], car(3)])
      try await service.control(
        .status(
          200, times: 2, headers: ["Link": "</cars?page=2>; rel=\"next\""], body: three),
        .status(200, times: 1, body: try json([car(4)])))
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(remote: service.cars())
        .repository(local: InMemoryRepository<Car>())
      let list = evocation.pagingCache(Car.self, pageSize: 2, options: .init(paging: .link))
      list.requirements = Criteria()
      #expect(try await list.refresh() == .successful)
      #expect(try await list.value() == cars)
      while await list.goToNextPage() == .successful {}
      #expect(try await list.value().map(\.id) == [1, 2, 3, 4])
    }

    @Test func `A page behind the last one is empty where its status says so`() async throws {
      let service = try await Service.start(dialect: .envelope)
      var configuration = Dialects.envelopes()
      configuration.filters.paging = .page(number: "page", size: "page_size")
      func cars() -> HTTPRepository<PricedCar> {
        HTTPRepository(at: service.url, "cars", configuration)
      }
      configuration.routes.find.done = []
      let behind = Criteria().limit(100).offset(500)
      let error = await failure { try await cars().find(behind) } as? HTTPError
      #expect(error?.code == .notFound)
      #expect(error?.message == "Invalid page.")
      configuration.routes.find.done = [404]
      #expect(try await cars().find(behind).value.isEmpty)
      #expect(try await cars().find(Criteria().limit(100).offset(400)).value.count == 6)
    }

    @Test func `Batches come as lists do, cut to their limit, empty behind the end, done here`()
      async throws
    {
      let service = try await Service.start(dialect: .links)
      var configuration = Dialects.links()
      configuration.filtersHere = true
      let cars = HTTPRepository<Car>(at: service.url, "cars", configuration)
      func sizes(_ cars: HTTPRepository<Car>, _ criteria: Criteria) async throws -> [Int] {
        let sizes = Record<Int>()
        let all = try await cars.find(criteria, inBatchesOf: 60) { sizes.append($0.value.count) }
        #expect(all.value == sizes.elements.reduce(0, +))
        return sizes.elements
      }
      #expect(try await sizes(cars, Criteria().limit(250)) == [60, 40, 60, 40, 50])
      #expect(try await sizes(cars, Criteria.Key("year").in([Int]())) == [])
      let japan = Criteria.Key("origin") == "Japan" || Criteria.Key("origin") == "Mars"
      #expect(try await sizes(cars, japan) == [60, 19])
      var ending = Setup()
      ending.routes.find.done = [404]
      let none = HTTPRepository<Car>(at: service.url, "none", ending)
      let error = await failure { try await sizes(none, Criteria()) } as? HTTPError
      #expect(error?.code == .notFound)
      #expect(try await sizes(none, Criteria().offset(10)) == [])
    }

    @Test func `The total and a cursor stand beside the models`() async throws {
      let body = #"{"data": [], "meta": {"total": 12, "next_cursor": "abc", "page": 3}}"#
      try await service.control(.status(200, body: body))
      let cars = service.cars {
        $0.envelope = .key("data")
        $0.total = .key("meta.total")
        $0.metadata = ["cursor": "meta.next_cursor", "page": "meta.page", "none": "meta.none"]
      }
      let metadata = try await cars.find(Criteria().offset(12)).metadata
      #expect(metadata["totalCount"] as? Int == 12)
      #expect(metadata["cursor"] as? String == "abc")
      #expect(metadata["page"] as? String == "3")
      #expect(metadata["none"] == nil)
      #expect(try await cars.count(Criteria()) == 12)
    }

    @Test func `What a service cannot say is done here, and it is asked for the rest`()
      async throws
    {
      let cars = service.cars { $0.filtersHere = true }
      let year = Criteria.Key("year")
      let name = Criteria.Key("name")
      let criteria = (year >= 1980 && (name.hasPrefix("toyota") || name.hasPrefix("honda")))
        .sorted(by: "name").limit(3)
      let reference = InMemoryRepository(try Car.all())
      #expect(try await cars.find(criteria).value == reference.find(criteria).value)
      #expect(
        try await cars.count(criteria.limit(100)) == reference.find(criteria.limit(100)).value.count
      )
      #expect(try await service.lines() == Array(repeating: "GET /cars?year[gte]=1980", count: 2))
      let text = await failure { try await cars.find(criteria.after(.text("x"))) }
      #expect(text != nil)
    }

    @Test func `Text without case and accents is found here, if the service cannot`() async throws {
      let name = Criteria.Key("name")
      let criteria = Criteria.Key("year") >= 1980 && name.contains("TOYÓTA", options: .like)
      let wanted = try await InMemoryRepository(Car.all()).find(criteria).value
      #expect(!wanted.isEmpty)
      #expect(try await service.cars { $0.filtersHere = true }.find(criteria).value == wanted)
      #expect(try await service.lines() == ["GET /cars?year[gte]=1980"])
      let error = await failure { try await service.cars().find(criteria) } as? HTTPError
      #expect(error?.code == .unsupportedCriteria)
      #expect(error?.reason == "it has no \"contains without case and accents\"")
    }

    @Test func `Words are found by the service alone, and never here`() async throws {
      let year = Criteria.Key("year")
      let criteria = Criteria.matching("ford") && (year == 1980 || year == 1982)
      let cars = service.cars {
        $0.filtersHere = true
        $0.filters.matching = { [URLQueryItem(name: "q", value: $0)] }
      }
      let error = await failure { try await cars.find(criteria) } as? HTTPError
      #expect(error?.reason == "it has no \"or\"")
      #expect(try await service.lines() == [])
      _ = await failure { try await cars.find(.matching("ford*") && year == 1980) }
      #expect(try await service.lines() == ["GET /cars?q=ford*&year=1980"])
    }

    @Test func `Envelopes of lists and of single models differ, and those of requests too`()
      async throws
    {
      let one = try json([cars[0]]).dropFirst().dropLast()
      let cars = service.cars {
        $0.envelope = .keys(list: "data.items", model: "data.item")
        $0.requestEnvelope = .keys(list: "cars", model: "body.car")
      }
      try await service.control(.status(200, body: #"{"data": {"items": [\#(one)]}}"#))
      #expect(try await cars.find(Criteria()).value == [self.cars[0]])
      #expect(try await cars.store(self.cars).value == [self.cars[0]])
      try await service.control(.status(200, body: #"{"data": {"item": \#(one)}}"#))
      #expect(try await cars.findOne(["id": 1]).value == self.cars[0])
      #expect(try await cars.storeOne(self.cars[0]).value == self.cars[0])
      let bodies = try await service.requests().compactMap(\.body)
      #expect(
        bodies.map { String($0.prefix(23)) } == [
          #"{"cars":[{"acceleration"#, #"{"body":{"car":{"accele"#,
        ])
    }

    @Test func `Statuses that a route names count as done`() async throws {
      try await service.control(.status(404))
      let cars = service.cars {
        $0.routes.removeOne.done = [404]
        $0.routes.storeOne.done = [409, 404]
      }
      #expect(try await cars.removeOne(car(1)).value == nil)
      #expect(try await cars.storeOne(car(1)).value == car(1))
      try await service.control(.status(409))
      #expect(try await cars.storeOne(car(1)).value == car(1))
    }
  }
#endif
