import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPErrorTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private static let refusals: [(Int, HTTPError.Code, FailureKind, String)] = [
      (
        400, .client, .permanent,
        "was refused with 400; read what the service says in `message`."
      ),
      (
        401, .unauthorized, .authorization,
        "was refused with 401; sign in again, or check what the authorization closure returns."
      ),
      (
        403, .unauthorized, .authorization,
        "was refused with 403; use an account that has the permission."
      ),
      (
        404, .notFound, .permanent,
        "got 404; check the base URL, the path and the routes."
      ),
      (408, .client, .transient, "was postponed with 408; try again later."),
      (
        409, .conflict, .conflict,
        "was refused with 409, because it conflicts with the server's data; fetch the model and "
          + "try again."
      ),
      (
        412, .preconditionFailed, .conflict,
        "was refused with 412, because the model has changed on the server; fetch the model and "
          + "try again."
      ),
      (
        422, .client, .permanent,
        "was refused with 422; read what the service says in `message`."
      ),
      (425, .client, .transient, "was postponed with 425; try again later."),
      (429, .client, .transient, "was postponed with 429; try again later."),
      (
        500, .server, .transient,
        "got 500, because the server failed; try again later."
      ),
      (
        501, .server, .permanent,
        "got 501, because the server does not support it; choose another route."
      ),
      (
        503, .server, .transient,
        "got 503, because the server failed; try again later."
      ),
      (
        304, .unexpectedStatus, .permanent,
        "got 304, which does not answer it; check the routes and the headers."
      ),
    ]

    @Test(arguments: refusals)
    func `A status is an error with a kind and a sentence`(
      status: Int, code: HTTPError.Code, kind: FailureKind, sentence: String
    ) async throws {
      try await service.control(.status(status, body: "{\"error\": \"no\"}"))
      let cars = service.cars()
      let error = await failure { try await cars.find(["name": "secret"]) } as? HTTPError
      #expect(error?.code == code)
      #expect(error?.status == status)
      #expect(error?.failureKind == kind)
      #expect(error?.body == (status == 304 ? nil : "{\"error\": \"no\"}"))
      #expect(error?.headers["content-type"] == "application/json")
      #expect(error?.description == "GET /cars \(sentence)")
    }

    @Test(arguments: [
      ("", "describe in format.refusals where its answer says why."),
      (#"{"error": "no"}"#, "read what the service says in `message`."),
      (#"{"errors": {"year": ["no"]}}"#, "read what the service says in `fields`."),
      (
        #"{"message": "no", "errors": {"year": ["no"]}}"#,
        "read what the service says in `message` and `fields`."
      ),
    ])
    func `The sentence of a refusal names what has the service's words, and nothing else`(
      body: String, fix: String
    ) async throws {
      try await service.control(.status(422, body: body))
      let error = await failure { try await service.cars().storeOne(car(1)) } as? HTTPError
      #expect(error?.description == "POST /cars was refused with 422; \(fix)")
      #expect(error?.serviceWords?.message == error?.message)
      #expect(error?.serviceWords?.fields == error?.fields && error?.serviceWords?.status == 422)
    }

    @Test func `A 404 to a call for several models is an error, and to a path that is wrong`()
      async throws
    {
      let bikes = HTTPRepository<Car>(at: service.url, "bikes", Setup())
      let error = await failure { try await bikes.update([car(1), car(2)]) }
      #expect(
        "\(error as Any)".contains(
          "PATCH /bikes got 404; check the base URL, the path and the routes."
        )
      )
    }

    @Test func `Retry-After is told in seconds and as a date`() async throws {
      let cars = service.cars()
      try await service.control(.status(429, headers: ["Retry-After": "7"]))
      let first = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(first?.retryAfter == .seconds(7))
      #expect(first?.description == "GET /cars was postponed with 429; try again in 7 s.")
      let headers = [
        "Date": "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2015 07:30:00 GMT",
      ]
      try await service.control(.status(503, headers: headers))
      let second = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(second?.retryAfter == .seconds(120))
    }

    @Test func `A service that is not there has refused`() async throws {
      let held = try HeldPort()
      let cars = HTTPRepository<Car>(HTTPService(held.url), "cars")
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .refused)
      #expect(error?.failureKind == .transient)
      #expect(
        error?.description == "GET /cars found no server at 127.0.0.1:\(held.port); check the "
          + "base URL, and that the server runs."
      )
      withExtendedLifetime(held) {}
    }

    @Test func `A host without a name or address cannot be reached`() async throws {
      /// What the system says of such a host, whom a resolver of some networks finds all the same.
      struct Nameless: HTTPTransport {
        func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
          throw URLError(.cannotFindHost)
        }
      }
      var configuration = Setup()
      configuration.transport = Nameless()
      configuration.insecureHosts = ["nowhere.invalid"]
      let url = try #require(URL(string: "http://nowhere.invalid/api"))
      let cars = HTTPRepository<Car>(at: url, "cars", configuration)
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .unreachable)
      #expect(
        error?.description == "GET /api/cars could not reach nowhere.invalid; check the network "
          + "and the name of the host."
      )
    }

    @Test func `A service that says nothing is timed out`() async throws {
      try await service.control(.silent())
      let cars = service.cars { $0.timeout = .milliseconds(50) }
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .timedOut)
      #expect(error?.failureKind == .transient)
      #expect(
        error?.description
          == "GET /cars got no answer within 0.05 seconds; try again, or raise the timeout."
      )
    }

    @Test(arguments: [Service.Switch.HangUp.beforeAnswer, .midAnswer])
    func `A connection that ends too early is an error`(place: Service.Switch.HangUp) async throws {
      try await service.control(.hangUp(place))
      let cars = service.cars()
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .connectionLost)
      #expect(error?.failureKind == .transient)
      #expect(
        error?.description
          == "GET /cars lost the connection before the answer was complete; try again."
      )
    }

    @Test func `What speaks another protocol is told with what the system says of it`() async throws
    {
      try await service.control(.broken(.noHTTP))
      let cars = service.cars()
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .malformed)
      #expect(error?.failureKind == .transient)
      let reason = error?.reason.map { " (\($0))" } ?? ""
      #expect(
        error?.description == "GET /cars got an answer that is not valid HTTP\(reason); check the "
          + "port of the base URL, and any proxy in front of the server."
      )
    }

    @Test(
      arguments: [
        (
          .malformed,
          "got an answer that is not valid HTTP; check the port of the base URL, and any proxy in "
            + "front of the server"
        ),
        (
          .unbounded,
          "was not sent, because it would change all models: it has no conditions; check the "
            + "filters and the routes"
        ),
        (.redirectRefused, "was redirected elsewhere; configure the address that answers"),
        (.incompleteList, "got a list that Evocation cannot follow to its end"),
      ] as [(HTTPError.Code, String)])
    func `An error of a fake of a service is a sentence without a reason, too`(
      code: HTTPError.Code, outcome: String
    ) {
      let url = URL(string: "https://example.com/cars")
      #expect(HTTPError(code, method: "GET", url: url).description == "GET /cars \(outcome).")
      #expect(
        HTTPError(.unaddressable).description == "The request has no address: it has no valid URL.")
    }

    private static let garbage: [(String, String)] = [
      ("<html>Sign in</html>", "HTML or XML instead of JSON"),
      ("", "an empty body"),
      ("[{\"id\": 1", "JSON that is broken or cut off"),
      ("hello", "a body that is not JSON"),
      ("{\"data\": []}", "a value that is not an array at the top"),
      ("[{\"id\": 1}]", "no value at \"[0].name\""),
      ("[{\"id\": \"1\"}]", "a value that is not an Int at \"[0].id\""),
      ("[{\"id\": null}]", "null instead of an Int at \"[0].id\""),
    ]

    @Test(arguments: garbage)
    func `An answer that is no models says in what`(body: String, reason: String) async throws {
      try await service.control(.status(200, body: body))
      let cars = service.cars()
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .undecodable)
      let isJSON = body.hasSuffix("}") || body.hasSuffix("}]")
      #expect(error?.failureKind == (isJSON ? .permanent : .transient))
      #expect(error?.body == (body.isEmpty ? nil : body))
      #expect(
        error?.description == "GET /cars got 200 with \(reason); "
          + (isJSON
            ? "check the path, the envelope and the model's coding keys against the service."
            : "try again; if it stays, check the path, and any proxy or sign-in page in front of the "
              + "server."))
    }

    @Test func `A number that does not fit is told from JSON that is broken`() async throws {
      let body = "[{\"id\": 1, \"name\": \"a\", \"cylinders\": 1.5}]"
      try await service.control(.status(200, body: body))
      let cars = service.cars()
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.reason?.hasPrefix("a value that does not decode") == true)
    }

    @Test func `An answer above the limit is not read to its end`() async throws {
      let cars = service.cars { $0.maximumResponseSize = 1000 }
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .tooLarge)
      #expect(
        error?.description == "GET /cars got more than 1000 bytes; ask for fewer models, or raise "
          + "maximumResponseSize."
      )
      #expect(try await cars.find(Criteria().limit(2)).value.count == 2)
    }

    @Test func `What the service said is cut off, and the query stays out of the sentence`()
      async throws
    {
      try await service.control(.status(500, body: String(repeating: "x", count: 5000)))
      let cars = service.cars()
      let error = await failure { try await cars.find(["name": "secret"]) } as? HTTPError
      #expect(error?.body?.count == 4096)
      #expect(error?.description.contains("secret") == false)
      #expect(error?.url?.query() == "name=secret")
    }
  }
#endif
