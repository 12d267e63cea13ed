import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPRepositoryReadsTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    @Test func `find asks for all models without criteria`() async throws {
      let response = try await service.cars().find(Criteria())
      #expect(try response.value == Car.all())
      #expect(response.metadata["status"] as? Int == 200)
      #expect(response.metadata["totalCount"] as? Int == 406)
      #expect(try await service.lines() == ["GET /cars"])
      let request = try #require(try await service.requests().first)
      #expect(request.headers["accept"] == "application/json")
      #expect(request.headers["idempotency-key"] == nil)
    }

    @Test func `find sends its criteria, and escapes what stands in them`() async throws {
      let cars = service.cars()
      _ = try await cars.storeOne(car(500, "a+b & \"c\", d=ü%"))
      let named = try await cars.find(["name": "a+b & \"c\", d=ü%"]).value
      #expect(named.map(\.id) == [500])
      let listed = try await cars.find(Criteria.Key("name").in(["a+b & \"c\", d=ü%", "x"])).value
      #expect(listed.map(\.id) == [500])
      let query = try await service.requests().last?.query
      #expect(
        query == "name%5Bin%5D=%22a%2Bb%20%26%20%22%22c%22%22,%20d%3D%C3%BC%25%22,x"
      )
    }

    @Test func `The answer's metadata has the page's links and tag`() async throws {
      let criteria = (["origin": "Japan"] as Criteria).limit(20).offset(20)
      let metadata = try await service.cars().find(criteria).metadata
      let base = "\(service.url.absoluteString)/cars?origin=Japan&"
      #expect(
        (metadata["next"] as? URL)?.absoluteString == base + "offset=40&limit=20"
      )
      #expect((metadata["previous"] as? URL)?.absoluteString == base + "offset=0&limit=20")
      #expect((metadata["etag"] as? String)?.hasPrefix("\"") == true)
      let headers = metadata["headers"] as? [String: String]
      #expect(headers?["content-type"] == "application/json")
    }

    @Test func `findOne asks for a model by its id when nothing else is asked`() async throws {
      let cars = service.cars()
      #expect(try await cars.findOne(["id": 7]).value?.name == "chevrolet impala")
      #expect(try await cars.findOne(["id": 9999]).value == nil)
      #expect(try await service.lines() == ["GET /cars/7", "GET /cars/9999"])
    }

    @Test func `findOne asks for a list of one for any other criteria`() async throws {
      let cars = service.cars()
      #expect(try await cars.findOne(["id": 7, "year": 1970]).value?.id == 7)
      #expect(try await cars.findOne((["id": 7] as Criteria).offset(1)).value == nil)
      #expect(try await cars.findOne((["id": 7] as Criteria).limit(0)).value == nil)
      #expect(try await cars.findOne(Criteria()).value?.id == 1)
      #expect(
        try await service.lines() == [
          "GET /cars?id=7&year=1970&limit=1", "GET /cars?id=7&limit=1&offset=1",
          "GET /cars?limit=1",
        ]
      )
    }

    @Test func `What no model can match is not asked for`() async throws {
      let cars = service.cars { $0.filters = .suffixes }
      #expect(try await cars.find(Criteria.Key("year").in([Int]())).value.isEmpty)
      #expect(try await cars.findOne(Criteria.Key("id").in([Int]())).value == nil)
      #expect(try await cars.count(Criteria.Key("id").in([Int]()) && ["year": 1970]) == 0)
      #expect(try await cars.find(Criteria().limit(0)).value.isEmpty)
      let error = await failure { try await cars.find(Criteria.Key("yaer").in([Int]())) }
      #expect(error is EvocationError)
      #expect(try await service.requests().isEmpty)
    }

    @Test func `A route for findOne can be changed or done without`() async throws {
      let listing = service.cars { $0.routes.findOne = nil }
      #expect(try await listing.findOne(["id": 7]).value?.id == 7)
      let other = service.cars { $0.routes.findOne = .init("GET", "/{path}/") }
      #expect(try await other.findOne(["id": 7]).value?.id == 7)
      #expect(try await service.lines() == ["GET /cars?id=7&limit=1", "GET /cars/?id=7&limit=1"])
    }

    @Test func `A service that says how many there are is asked for one, and any other for all`()
      async throws
    {
      let criteria: Criteria = ["origin": "Japan"]
      let plain = service.cars()
      #expect(try await plain.count(criteria) == 79)
      let counting = service.cars {
        $0.total = .header("X-Total-Count")
        $0.trustsFilters = true
      }
      #expect(try await counting.count(criteria) == 79)
      #expect(try await counting.count(criteria.offset(70).limit(20)) == 9)
      #expect(try await counting.count(criteria.offset(70).limit(5)) == 5)
      #expect(try await counting.count(criteria.offset(100)) == 0)
      #expect(try await counting.count(criteria.limit(0)) == 0)
      #expect(try await counting.exists(["id": 7]))
      #expect(try await counting.exists(["id": 9999]) == false)
      let cursor = Criteria.Cursor(values: [], id: [.integer(404)])
      #expect(try await counting.count(Criteria().after(cursor)) == 2)
      #expect(
        try await service.lines() == ["GET /cars?origin=Japan"]
          + Array(repeating: "GET /cars?origin=Japan&limit=1", count: 4)
          + ["GET /cars/7", "GET /cars/9999", "GET /cars?after=404"])
    }

    @Test(arguments: [
      (#"{"count": 12, "results": []}"#, "count"),
      (#"{"data": [], "meta": {"page": {"total": 12}}}"#, "meta.page.total"),
    ])
    func `The number may stand in the answer`(body: String, path: String) async throws {
      let cars = service.cars { $0.total = .key(path) }
      try await service.control(.status(200, times: 1, headers: [:], body: body))
      #expect(try await cars.count(Criteria()) == 12)
    }

    @Test(arguments: [
      (#"{"count": -1}"#, HTTPFormat.Total.key("count")),
      (#"{"count": "12"}"#, .key("count")),
      (#"{"count": {}}"#, .key("count.all")), ("[]", .key("count")), ("[]", .key("")),
      ("none", .key("count")), ("[]", .header("X-Count")),
    ])
    func `A number that is not there, or cannot be one, is found out by reading`(
      body: String, total: HTTPFormat.Total
    ) async throws {
      let cars = service.cars {
        $0.total = total
        $0.trustsFilters = true
      }
      try await service.control(.status(200, times: 1, headers: ["X-Count": "-3"], body: body))
      #expect(try await cars.count(["origin": "Japan"]) == 79)
    }

    @Test func `The cars of a page follow a cursor`() async throws {
      let cursor = Criteria.Cursor(values: [], id: [.integer(404)])
      let found = try await service.cars().find(Criteria().after(cursor)).value
      #expect(found.map(\.id) == [405, 406])
      #expect(try await service.lines() == ["GET /cars?after=404"])
    }

    @Test func `A closure of one's own says what the scheme cannot`() async throws {
      let cars = service.cars {
        $0.queryTakes = [.limit]
        $0.query = { _ in
          [URLQueryItem(name: "page", value: "1"), .init(name: "per_page", value: "30")]
        }
      }
      let either = Criteria.Key("year") == 1970 || Criteria.Key("year") == 1971
      #expect(try await cars.find(either.limit(40)).value.map(\.id) == Array(1...40))
      #expect(try await cars.find(either).value.allSatisfy { [1970, 1971].contains($0.year) })
    }
  }
#endif
