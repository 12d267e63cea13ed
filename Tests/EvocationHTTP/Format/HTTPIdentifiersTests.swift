import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// Who gives the ids, what is not sent, and how ids stand in addresses.
  @Suite(.patient) struct HTTPIdentifiersTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    /// What the bodies of the writes say under a key, one entry for each model.
    private func sent(_ key: String) async throws -> [Int?] {
      try await service.requests().filter { $0.method != "GET" }.flatMap { request in
        let json = try JSONSerialization.jsonObject(with: Data((request.body ?? "[]").utf8))
        let models = json as? [[String: Any]] ?? [json as? [String: Any] ?? [:]]
        return models.map { $0[key] as? Int }
      }
    }

    @Test func `A service that gives the ids is sent none, and its answer has them`() async throws {
      let cars = service.cars { $0.identifiers = .service }
      #expect(try await cars.storeOne(car(0)).value?.id == 407)
      #expect(try await cars.store([car(1), car(2)]).value.map(\.id) == [408, 409])
      #expect(try await cars.updateOne(car(407, "x")).value?.name == "x")
      #expect(try await sent("id") == [nil, nil, nil, nil])
    }

    @Test func `A placeholder alone is not sent`() async throws {
      let cars = service.cars { $0.identifiers = .placeholder { $0 == "0" } }
      #expect(try await cars.store([car(0), car(500)]).value.map(\.id) == [501, 500])
      #expect(try await cars.storeOne(car(0)).value?.id == 502)
      #expect(try await cars.storeOrUpdate([car(0), car(500)]).value.map(\.id) == [503, 500])
      #expect(try await sent("id") == [nil, 500, nil, nil, 500])
    }

    @Test func `A service without an upsert changes what is there and adds what is not`()
      async throws
    {
      let cars = service.cars {
        $0.routes = .restOneByOne
        $0.routes.storeOrUpdateOne = nil
        $0.identifiers = .placeholder { $0 == "0" }
      }
      _ = try await cars.findOne(["id": 1])
      _ = try await service.cars().updateOne(car(1, "theirs"))
      let three = [car(1, "x"), car(500), car(0)]
      #expect(try await cars.storeOrUpdate(three).value.map(\.id) == [1, 500, 501])
      #expect(
        try await service.lines().suffix(4) == [
          "PATCH /cars/1", "PATCH /cars/500", "POST /cars", "POST /cars",
        ])
      let keys = try await service.requests().compactMap { $0.headers["idempotency-key"] }
      #expect(Set(keys).count == 5)
    }

    @Test func `Keys that the service alone writes are not sent`() async throws {
      let cars = service.cars { $0.readOnlyKeys = ["weight"] }
      let stored = await failure { try await cars.storeOne(car(500)) } as? HTTPError
      #expect(stored?.reason == "no value at \"weight\"")
      _ = try await cars.updateOne(car(1))
      #expect(try await sent("weight") == [nil, nil])
      #expect(try await sent("year") == [1999, 1999])
    }

    @Test func `A model's id is a key of the service by another name`() async throws {
      struct Named: Codable, Identifiable, Hashable, Sendable {
        enum CodingKeys: String, CodingKey { case id = "name", year }
        var id: String
        var year: Int
      }
      var configuration = Setup()
      configuration.identifierKey = "name"
      let cars = HTTPRepository<Named>(at: service.url, "cars", configuration)
      let many = [Named(id: "ford, \"x\"", year: 1), Named(id: "b", year: 2)]
      _ = try await cars.remove(many)
      _ = await failure { try await cars.findOne(["name": "a/b"]) }
      #expect(
        try await service.lines() == [
          "DELETE /cars?name[in]=\"ford, \"\"x\"\"\",b", "GET /cars/a%2Fb",
        ])
    }

    @Test(arguments: [
      ("a/b", "/cars/a%2Fb"), ("100%", "/cars/100%25"), ("%2e%2e", "/cars/%252e%252e"),
      ("a\nb", "/cars/a%0Ab"), ("a b+c", "/cars/a%20b%2Bc"), ("?x=1#y", "/cars/%3Fx%3D1%23y"),
      ("ü;", "/cars/%C3%BC%3B"),
    ])
    func `An id is one segment of the path, whatever it holds`(
      id: String, path: String
    )
      async throws
    {
      _ = try await service.cars().findOne(["id": id])
      #expect(try await service.requests().map(\.path) == [path])
    }

    @Test func `An id in a query stays within its item`() async throws {
      let cars = service.cars {
        $0.routes.findOne = .init("GET", "{path}?id=eq.{id}")
        $0.routes.removeOne = .init("DELETE", "{path}?id=eq.{id}")
      }
      _ = await failure { try await cars.findOne(["id": "1&id=gt.0"]) }
      #expect(try await service.requests().map(\.query) == ["id=eq.1%26id%3Dgt.0"])
      let error = await failure { try await cars.findOne(["id": ""]) } as? HTTPError
      #expect(
        error?.description
          == "The request has no address: an empty id cannot be part of a query; use another id.")
    }

    @Test func `An optional id that is nil has no address`() async throws {
      struct Draft: Codable, Identifiable, Hashable, Sendable {
        var id: Int?
        var name: String
      }
      let drafts = HTTPRepository<Draft>(HTTPService(service.url), "cars")
      let error = await failure { try await drafts.removeOne(Draft(id: nil, name: "x")) }
      #expect(error != nil)
      #expect(try await drafts.storeOne(Draft(id: nil, name: "x")).value?.id == 407)
      #expect(try await drafts.updateOne(Draft(id: 407, name: "y")).value?.name == "y")
      #expect(try await service.lines() == ["POST /cars", "PATCH /cars/407"])
    }
  }
#endif
