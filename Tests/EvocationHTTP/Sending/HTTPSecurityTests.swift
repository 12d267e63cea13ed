import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPSecurityTests {
    private let service: Service
    private let other: Service

    init() async throws {
      service = try await Service.start()
      other = try await Service.start()
    }

    private var cars: HTTPRepository<Car> {
      service.cars {
        $0.authorization = { _ in "Bearer secret" }
        $0.headers = ["X-Api-Key": "secret"]
      }
    }

    @Test(arguments: [
      "http://example.com", "http://localhost.example.com", "http://127.0.0.1.example.com",
      "http://128.0.0.1", "HTTP://EXAMPLE.COM",
    ])
    func `Without TLS nothing is sent`(address: String) async throws {
      let url = try #require(URL(string: address))
      let cars = HTTPRepository<Car>(HTTPService(url), "cars")
      let error = await failure { try await cars.storeOne(car(1)) } as? HTTPError
      #expect(error?.code == .insecure)
      #expect(error?.failureKind == .permanent)
      let host = address.dropFirst("http://".count)
      #expect(
        error?.description == "POST /cars was not sent, because http://\(host) has no TLS; "
          + "use https, or name the host in insecureHosts."
      )
    }

    @Test func `A host that does not speak TLS is not trusted`() async throws {
      let url = try #require(URL(string: "https://127.0.0.1:\(service.port)"))
      let cars = HTTPRepository<Car>(HTTPService(url), "cars")
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .untrusted)
      #expect(error?.failureKind == .permanent)
      #expect(
        error?.description == "GET /cars was not sent, because 127.0.0.1:\(service.port) has no "
          + "valid certificate; check the host and the clock of the device."
      )
    }

    @Test func `Credentials stay when a redirect leads to another host`() async throws {
      try await service.control(.redirect(to: "\(other.url.absoluteString)/cars/7"))
      #expect(try await cars.findOne(["id": 7]).value?.id == 7)
      let sent = try await service.requests().first?.headers
      #expect(sent?["authorization"] == "Bearer secret")
      #expect(sent?["x-api-key"] == "secret")
      let followed = try await other.requests().first?.headers
      #expect(followed?["authorization"] == nil)
      #expect(followed?["x-api-key"] == nil)
      #expect(followed?["accept"] == "application/json")
    }

    @Test func `Credentials go along when a redirect stays`() async throws {
      try await service.control(.redirect(to: "/cars/7", times: 1))
      #expect(try await cars.findOne(["id": 7]).value?.id == 7)
      #expect(try await service.requests().last?.headers["authorization"] == "Bearer secret")
    }

    @Test func `Credentials do not come back by a second redirect`() async throws {
      try await service.control(.redirect(to: "\(other.url.absoluteString)/cars/7", times: 1))
      try await other.control(.redirect(to: "\(service.url.absoluteString)/cars/8"))
      #expect(try await cars.findOne(["id": 8]).value?.id == 8)
      #expect(try await service.requests().last?.headers["authorization"] == nil)
    }

    @Test func `A write follows a redirect with its body and its method`() async throws {
      try await service.control(.redirect(to: "/cars", times: 1).only(path: "/cars"))
      #expect(try await cars.store([car(500), car(501)]).value == [car(500), car(501)])
      let requests = try await service.requests()
      #expect(requests.map(\.method) == ["POST", "POST"])
      #expect(requests.map(\.status) == [307, 201])
      #expect(
        requests.first?.headers["idempotency-key"] == requests.last?.headers["idempotency-key"])
    }

    @Test func `A redirect that would turn a write into a read is refused`() async throws {
      try await service.control(.status(302, headers: ["Location": "/cars"]))
      let error = await failure { try await cars.storeOne(car(500)) } as? HTTPError
      #expect(error?.code == .redirectRefused)
      #expect(error?.status == 302)
      #expect(
        error?.description == "POST /cars was redirected by 302, which would turn the POST into a "
          + "GET; configure the address that answers."
      )
    }

    @Test func `A redirect to a host without TLS is refused`() async throws {
      try await service.control(.redirect(to: "http://example.com/cars"))
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(
        error?.description == "GET /cars was redirected by 307 to example.com, which has no TLS; "
          + "configure the address that answers."
      )
    }

    @Test func `A redirect of a write to another host is refused, unless the host is named`()
      async throws
    {
      try await service.control(.redirect(to: "\(other.url.absoluteString)/cars"))
      let error = await failure { try await cars.storeOne(car(500)) } as? HTTPError
      #expect(error?.code == .redirectRefused)
      #expect(
        error?.description
          == "POST /cars was redirected by 307 to 127.0.0.1, and Evocation sends a write's body "
          + "there only if redirectHosts names that host; configure the address that answers."
      )
      #expect(try await other.requests().isEmpty)
      let named = service.cars { $0.redirectHosts = ["127.0.0.1"] }
      #expect(try await named.storeOne(car(500)).value == car(500))
      #expect(try await other.requests().map(\.method) == ["POST"])
    }

    @Test func `Redirects that go round end`() async throws {
      try await service.control(.redirect(to: "/cars"))
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(
        error?.description == "GET /cars was redirected more than 10 times; "
          + "configure the address that answers."
      )
      #expect(try await service.requests().count == 11)
    }
  }
#endif
