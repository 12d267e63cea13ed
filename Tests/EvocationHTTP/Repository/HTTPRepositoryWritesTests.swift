import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPRepositoryWritesTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    @Test func `Each write has its method, its path and its body`() async throws {
      let cars = service.cars()
      let two = [car(500, "a"), car(501, "b")]
      #expect(try await cars.store(two).value == two)
      #expect(try await cars.storeOne(car(502)).value == car(502))
      #expect(try await cars.update([car(500, "c"), car(999)]).value == [car(500, "c")])
      #expect(try await cars.updateOne(car(501, "d")).value == car(501, "d"))
      #expect(try await cars.updateOne(car(999)).value == nil)
      #expect(try await cars.storeOrUpdate([car(500), car(503)]).value == [car(500), car(503)])
      #expect(try await cars.storeOrUpdate([car(504)]).value == [car(504)])
      #expect(try await cars.remove([car(500), car(999)]).value == [car(500)])
      #expect(try await cars.removeOne(car(501)).value == car(501, "d"))
      #expect(try await cars.removeOne(car(501)).value == nil)
      #expect(
        try await service.lines() == [
          "POST /cars", "POST /cars", "PATCH /cars", "PATCH /cars/501", "PATCH /cars/999",
          "PUT /cars", "PUT /cars/504", "DELETE /cars?id[in]=500,999", "DELETE /cars/501",
          "DELETE /cars/501",
        ]
      )
      let bodies = try await service.requests().map { $0.body?.first }
      #expect(bodies == ["[", "{", "[", "{", "{", "[", "{", nil, nil, nil])
      let types = Set(try await service.requests().prefix(7).map { $0.headers["content-type"] })
      #expect(types == ["application/json"])
    }

    @Test func `Calls without models send nothing`() async throws {
      let cars = service.cars()
      #expect(try await cars.store([]).value.isEmpty)
      #expect(try await cars.update([]).value.isEmpty)
      #expect(try await cars.storeOrUpdate([]).value.isEmpty)
      #expect(try await cars.remove([]).value.isEmpty)
      #expect(try await service.requests().isEmpty)
    }

    @Test func `A store of a model that is there names its id`() async throws {
      let cars = service.cars()
      await #expect(throws: EvocationError.alreadyExists(["7"])) {
        try await cars.storeOne(car(7))
      }
      await #expect(throws: EvocationError.alreadyExists(["7", "2"])) {
        try await cars.store([car(500), car(7), car(501), car(2)])
      }
      await #expect(throws: EvocationError.alreadyExists(["500"])) {
        try await cars.store([car(500), car(500), car(501)])
      }
      #expect(try await cars.findOne(["id": 501]).value == nil)
    }

    @Test func `An update takes away a value that is nil now`() async throws {
      let cars = service.cars()
      #expect(try await cars.updateOne(car(1, horsepower: nil)).value?.horsepower == nil)
      #expect(try await cars.update([car(2, horsepower: nil)]).value.first?.horsepower == nil)
      #expect(try await cars.find(Criteria.Key("id") <= 2).value.map(\.horsepower) == [nil, nil])
      let body = try await service.requests().first?.body
      #expect(body?.contains("\"horsepower\":null") == true)
      let plain = service.cars { $0.routes.updateOne.writesNulls = false }
      _ = try await plain.updateOne(car(3, horsepower: nil))
      #expect(try await service.requests().last?.body?.contains("null") == false)
    }

    @Test func `A long removal takes several requests`() async throws {
      let cars = service.cars {
        $0.routes.remove?.most = 2
      }
      let removed = try await IdempotencyKey.$current.withValue("k") {
        try await cars.remove([1, 2, 3, 4, 5].map { car($0) }).value
      }
      #expect(removed.map(\.id) == [1, 2, 3, 4, 5])
      #expect(
        try await service.lines() == [
          "DELETE /cars?id[in]=1,2", "DELETE /cars?id[in]=3,4", "DELETE /cars/5",
        ]
      )
      let keys = try await service.requests().map { $0.headers["idempotency-key"] }
      #expect(keys == ["k-1", "k-2", "k-3"])
    }

    @Test func `A service that takes one model at a time gets one request for each`() async throws {
      let cars = service.cars { $0.routes = .restOneByOne }
      let two = [car(500), car(501)]
      #expect(try await cars.store(two).value == two)
      #expect(try await cars.update([car(500, "x"), car(999)]).value == [car(500, "x")])
      #expect(try await cars.storeOrUpdate(two).value == two)
      #expect(try await cars.remove([car(500), car(999), car(501)]).value == two)
      #expect(
        try await service.lines() == [
          "POST /cars", "POST /cars", "PATCH /cars/500", "PATCH /cars/999", "PUT /cars/500",
          "PUT /cars/501", "DELETE /cars/500", "DELETE /cars/999", "DELETE /cars/501",
        ]
      )
    }

    @Test func `A failure between single requests tells what was done and what was not`()
      async throws
    {
      let cars = service.cars { $0.routes = .restOneByOne }
      let error = await failure {
        try await cars.store([car(500), car(501), car(1), car(502), car(503)])
      }
      let partial = try #require(error as? HTTPPartialError)
      #expect(partial.done == ["500", "501"])
      #expect(partial.failed == ["1"])
      #expect(partial.unsent == ["502", "503"])
      #expect(partial.underlying as? EvocationError == .alreadyExists(["1"]))
      #expect(partial.failureKind == .conflict)
      #expect(
        "\(partial)" == """
          Only 2 of 5 models were written, one request after another, and 2 were not sent, \
          because of this error: The repository already has a model with id 1, so it stored \
          nothing; use storeOrUpdate to replace an existing model.
          """
      )
      await #expect(throws: EvocationError.alreadyExists(["1"])) {
        try await cars.store([car(1), car(504)])
      }
    }

    @Test func `A write whose answer has no body counts as it was sent`() async throws {
      try await service.control(.status(204, body: ""))
      let cars = service.cars()
      #expect(try await cars.storeOne(car(500)).value == car(500))
      #expect(try await cars.removeOne(car(500)).value == car(500))
      #expect(try await cars.update([car(500), car(501)]).value == [car(500), car(501)])
      try await service.control(.status(200, body: "{\"status\": \"ok\"}"))
      let silent = service.cars { $0.routes.storeOne.answersModels = false }
      #expect(try await silent.storeOne(car(500)).value == car(500))
    }

    @Test func `Each write has an idempotency key, the given one or its own`() async throws {
      let cars = service.cars()
      _ = try await cars.storeOne(car(500))
      _ = try await cars.storeOne(car(501))
      _ = try await IdempotencyKey.$current.withValue("given") { try await cars.storeOne(car(502)) }
      let again = try await IdempotencyKey.$current.withValue("given") {
        try await cars.storeOne(car(502))
      }
      let headers = again.metadata["headers"] as? [String: String]
      #expect(headers?["idempotency-replayed"] == "true")
      let keys = try await service.requests().compactMap { $0.headers["idempotency-key"] }
      #expect(keys.count == 4)
      #expect(Set(keys).count == 3)
      #expect(keys.suffix(2) == ["given", "given"])
    }

    @Test func `A service that takes arrays alone is sent one model in an array`() async throws {
      let cars = service.cars {
        $0.routes.storeOne.sendsArray = true
        $0.routes.storeOrUpdateOne = .init("POST", sendsArray: true)
      }
      #expect(try await cars.storeOne(car(500)).value == car(500))
      #expect(try await cars.storeOrUpdate([car(501)]).value == [car(501)])
      let bodies = try await service.requests().map(\.body)
      let sent = try bodies.map {
        try JSONDecoder().decode([Car].self, from: Data(($0 ?? "").utf8))
      }
      #expect(sent == [[car(500)], [car(501)]])
    }

    @Test func `A route for counting that is one model's is named, and nothing is sent`()
      async throws
    {
      let cars = service.cars {
        $0.total = .header("X-Total-Count")
        $0.routes.count = .init("GET", "{path}/{id}/count")
      }
      let error = await failure { try await cars.count(Criteria()) } as? HTTPError
      #expect(error?.code == .unaddressable)
      #expect(
        error?.description
          == "The request has no address: the route GET cars/{id}/count is for one model, and the "
          + "call for several; use a route without {id}.")
      #expect(try await service.requests().isEmpty)
    }

    @Test func `A route can be changed for one call`() async throws {
      let cars = service.cars {
        $0.routes.updateOne = .init("PUT", "{path}/{id}")
        $0.routes.storeOne = .init("PUT", "{path}/{id}")
      }
      _ = try await cars.storeOne(car(500))
      _ = try await cars.updateOne(car(500, "x"))
      #expect(try await service.lines() == ["PUT /cars/500", "PUT /cars/500"])
    }
  }
#endif
