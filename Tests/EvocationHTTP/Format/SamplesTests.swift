import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// The samples of the module's documentation, as they stand there.
  @Suite(.patient) struct SamplesTests {
    private struct Session {
      func token(renewed: Bool) async throws -> String { renewed ? "good" : "old" }
    }

    @Test func `A repository answers criteria`() async throws {
      let service = try await Service.start()
      let url = service.url
      let cars = HTTPRepository<Car>(HTTPService(url), "cars")
      let recent = try await cars.find(Criteria.Key("year") >= 2000).value
      #expect(recent.isEmpty)
    }

    @Test func `A service is made once, and a format changes what differs`() async throws {
      struct Trip: Codable, Identifiable, Sendable { var id: Int }
      let running = try await Service.start(arguments: ["--bearer", "good"])
      let url = running.url
      let session = Session()
      var configuration = HTTPService.Configuration()
      configuration.authorization = { occasion in
        "Bearer \(try await session.token(renewed: occasion == .refusal))"
      }
      let service = HTTPService(url, configuration: configuration)
      var format = HTTPFormat.rest
      format.routes.storeOrUpdateOne = nil
      format.envelope = .key("data")
      let cars = HTTPRepository<Car>(service, "cars", format: format)
      let error = await failure { try await cars.updateOne(car(1)) } as? HTTPError
      #expect(error?.code == .undecodable)
      #expect(try await running.lines() == ["PATCH /cars/1", "PATCH /cars/1"])
      #expect(repositories(url).0.service == service.name)
      func repositories(_ url: URL) -> (HTTPRepository<Car>, HTTPRepository<Trip>) {
        let service = HTTPService(url)
        let cars = HTTPRepository<Car>(service, "cars")
        let trips = HTTPRepository<Trip>(service, "trips")
        return (cars, trips)
      }
    }

    @Test func `A format says what a service does its own way`() throws {
      var format = HTTPFormat.rest
      format.routes.updateOne = .init("PATCH", "{path}?id=eq.{id}")
      format.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
      format.refusals.message = ["detail"]
      format.refusals.rules = [.init(400, contains: "already exists", means: .alreadyExists)]
      format.refusals.rules = [.init(200, key: "errors", means: .client)]
      format.refusals.meaning = { status, json in
        let answer = json as? [String: Any]
        return status == 200 && answer?["code"] as? Int == 7 ? .client : nil
      }
      format.queryTakes = [.limit, .offset]
      format.write(dates: .postgres)
      format.routes.find = .init("POST", "{path}/search", body: .query)
      format.routes.find = .init(
        "POST", "{path}/search",
        body: HTTPBody { call in
          let limit = call.criteria?.limit ?? 100
          return try JSONSerialization.data(withJSONObject: ["size": limit])
        })
      format.body = .form
      format.body = HTTPBody(contentType: "application/vnd.api+json") { json in json }
      format.filters = .suffixes  // year__gte=1980
      format.filters.filter = .named { "filter[\($0.name).\($0.word)]" }  // filter[year.gte]=1980
      #expect(try format.queryItems(for: Criteria.Key("year") > 1)[0].name == "filter[year.gt]")
      format.filters = .suffixes  // year__gte=1980
      format.filters.operators[.notEqual] = "ne"  // year__ne=1980
      format.filters.order = .item("order")  // order=-year,name
      format.filters.paging = .page(number: "page", size: "page_size")
      let criteria = (Criteria.Key("year") != 1980).sorted(by: "year", descending: true)
      let items = try format.queryItems(for: criteria.limit(20).offset(20))
      #expect(
        items.map { "\($0.name)=\($0.value ?? "")" } == [
          "year__ne=1980", "order=-year", "page=2", "page_size=20",
        ])
      format.filters.write(.isIn) { condition in  // year=1970&year=1982
        condition.texts.map { URLQueryItem(name: condition.name, value: $0) }
      }
      #expect(throws: HTTPError.self) {
        try format.queryItems(for: Criteria.Key("year").in([1970, 1982]))
      }
      format.filters.repeatsItems = true
      #expect(
        try format.queryItems(for: Criteria.Key("year").in([1970, 1982])).map(\.name)
          == ["year", "year"])
      format.filters.operators[.equal] = ":"
      format.filters.filter = .expression("q", all: " AND ", any: " OR ") { condition in
        let literals = condition.texts.map { "\"\($0)\"" }
        return try condition.text(literals, all: " AND ", any: " OR ")
      }
      let either = Criteria.Key("year") == 1970 || Criteria.Key("year") == 1982
      #expect(
        try format.queryItems(for: either).map(\.value) == [
          "(year:\"1970\" OR year:\"1982\")"
        ])
    }

    @Test func `Limits are those of the service`() throws {
      var configuration = HTTPService.Configuration()
      configuration.limits.rate = .init(requests: 10, per: .seconds(1))
      configuration.limits.backoff = [.retryAfter]
      configuration.limits.breaker = .init(failures: 5, pause: .seconds(30))
      #expect(configuration.limits.rate?.burst == 10)
    }

    @Test func `A base that is given goes with the write`() async throws {
      struct Entry {
        let base: Car
        let version: String
        let model: Car
      }
      let service = try await Service.start()
      let cars = service.cars { $0.routes.updateOne.sendsChanges = true }
      let version = try #require(try await cars.findOne(["id": 1]).metadata["etag"] as? String)
      let entry = Entry(base: car(1), version: version, model: car(1, "x"))
      let base = WriteBase(model: entry.base, condition: .version(entry.version))
      try await WriteBase.$current.withValue(base) { try await cars.updateOne(entry.model) }
      let sent = try #require(try await service.requests().last)
      #expect(sent.body == #"{"name":"x"}"#)
      #expect(sent.headers["if-match"] == version)
    }

    @Test func `An error tells that the user has to sign in`() async throws {
      let service = try await Service.start(arguments: ["--bearer", "good"])
      let signedOut = Record<Bool>()
      func signIn() { signedOut.append(true) }
      let evocation = Evocation()
      evocation.register(for: Car.self).repository(remote: service.cars()).strategy(.remoteOnly)
      let result = await evocation.find(model: Car.self)
      if let error = result.error as? HTTPError, error.code == .unauthorized { signIn() }
      #expect(signedOut.elements == [true])
    }

    @Test func `A key that is given goes with the write`() async throws {
      struct Entry { let key: String }
      let service = try await Service.start()
      let cars = service.cars()
      let car = car(500)
      let entry = Entry(key: "17")
      try await IdempotencyKey.$current.withValue(entry.key) { try await cars.storeOne(car) }
      #expect(try await service.requests().first?.headers["idempotency-key"] == "17")
    }
  }
#endif
