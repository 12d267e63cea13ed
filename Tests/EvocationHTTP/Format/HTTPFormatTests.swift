import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPFormatTests {
    private let service: Service

    init() async throws {
      service = try await Service.start(arguments: ["--bearer", "good"])
    }

    @Test func `The authorization hook is asked for each request`() async throws {
      let asked = Record<HTTPService.Occasion>()
      let cars = service.cars {
        $0.authorization = { occasion in
          asked.append(occasion)
          return "Bearer good"
        }
      }
      _ = try await cars.findOne(["id": 1])
      _ = try await cars.findOne(["id": 2])
      #expect(asked.elements == [.request, .request])
    }

    @Test func `After a 401 the hook is asked once more, and the same write is sent again`()
      async throws
    {
      let cars = service.cars {
        $0.authorization = { $0 == .refusal ? "Bearer good" : "Bearer old" }
      }
      #expect(try await cars.storeOne(car(500)).value == car(500))
      let requests = try await service.requests()
      #expect(requests.map(\.status) == [401, 201])
      #expect(requests.first?.body == requests.last?.body)
      #expect(Set(requests.map { $0.headers["idempotency-key"] }).count == 1)
    }

    @Test func `A second 401 is the answer`() async throws {
      let asked = Record<HTTPService.Occasion>()
      let cars = service.cars {
        $0.authorization = { occasion in
          asked.append(occasion)
          return "Bearer bad"
        }
      }
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .unauthorized)
      #expect(error?.headers["www-authenticate"] == "Bearer")
      #expect(asked.elements == [.request, .refusal])
      #expect(try await service.requests().count == 2)
    }

    @Test func `What the hook throws reaches the caller, and nothing is sent`() async throws {
      struct SignedOut: Error {}
      let cars = service.cars { $0.authorization = { _ in throw SignedOut() } }
      await #expect(throws: SignedOut.self) { try await cars.find(Criteria()) }
      #expect(try await service.requests().isEmpty)
    }

    @Test func `Header fields go with every request`() async throws {
      let cars = service.cars {
        $0.headers = ["Authorization": "Bearer good", "X-Api-Key": "k", "Accept": "text/json"]
      }
      _ = try await cars.removeOne(car(1))
      let headers = try await service.requests().first?.headers
      #expect(headers?["x-api-key"] == "k")
      #expect(headers?["accept"] == "text/json")
    }

    @Test func `Names of fields are the same in any case, and values hold no line break`()
      async throws
    {
      let cars = service.cars {
        $0.headers = ["authorization": "Bearer old", "accept": "text/json", "x": "1\r\nevil: 2"]
        $0.authorization = { _ in "Bearer good\n" }
      }
      _ = try await cars.findOne(["id": 1])
      let headers = try await service.requests().first?.headers
      #expect(headers?["authorization"] == "Bearer good")
      #expect(headers?["accept"] == "text/json")
      #expect(headers?["x"] == "1evil: 2")
    }

    @Test func `An envelope is taken off answers and put around requests`() async throws {
      let cars = service.cars {
        $0.envelope = .key("data")
        $0.requestEnvelope = .key("car")
      }
      let one = String(decoding: try JSONEncoder().encode(car(500)), as: UTF8.self)
      try await service.control(.status(200, body: "{\"data\": \(one), \"more\": 1}"))
      #expect(try await cars.storeOne(car(500)).value == car(500))
      #expect(try await service.requests().last?.body?.hasPrefix("{\"car\":{\"acc") == true)
      try await service.control(.status(200, body: "{\"data\": [\(one)]}"))
      #expect(try await cars.find(Criteria()).value == [car(500)])
      try await service.control(.status(200, body: "{\"data\": [{}]}"))
      let inner = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(inner?.reason == "no value at \"data[0].id\"")
      try await service.control(.status(200, body: "[]"))
      let outer = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(outer?.reason == "a value that is not an object at the top")
    }

    @Test func `A base URL has a path, and the models an id key, of their own`() async throws {
      var configuration = Setup()
      configuration.identifierKey = "key"
      configuration.routes.find.path = "all/{path}"
      let base = try #require(URL(string: service.url.absoluteString + "/api/?v=1"))
      let cars = HTTPRepository<Car>(at: base, "my cars", configuration)
      _ = await failure { try await cars.findOne(["key": "a/b?"]) }
      _ = await failure { try await cars.find(["key": 1]) }
      let requests = try await service.requests()
      #expect(requests.map(\.path) == ["/api/my%20cars/a%2Fb%3F", "/api/all/my%20cars"])
      #expect(requests.map(\.query) == ["v=1", "v=1&key=1"])
    }

    @Test(arguments: ["", ".", "..", "../users/5", "a/../b", "a\\..\\b", "a/.", "/", "1/", "/1"])
    func `An id that would lead elsewhere is refused`(id: String) async throws {
      let error = await failure { try await service.cars().findOne(["id": id]) } as? HTTPError
      #expect(
        error?.description == "The request has no address: an id that is empty, begins or ends "
          + "with a slash, or has \".\" or \"..\" between slashes, cannot be part of a path; use "
          + "another id."
      )
      #expect(try await service.requests().isEmpty)
    }
  }
#endif
