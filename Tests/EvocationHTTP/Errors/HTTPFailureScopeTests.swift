import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// What a failed write says: something of the write, or only of the service.
  @Suite(.patient) struct HTTPFailureScopeTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private static let statuses: [(Int, FailureScope, FailureKind)] = [
      (400, .write, .permanent), (401, .service, .authorization), (403, .write, .authorization),
      (405, .write, .permanent), (407, .service, .permanent), (408, .service, .transient),
      (409, .write, .conflict), (412, .write, .conflict), (413, .write, .permanent),
      (421, .service, .permanent), (422, .write, .permanent), (424, .write, .permanent),
      (425, .service, .transient),
      (426, .service, .permanent), (429, .service, .transient), (500, .service, .transient),
      (501, .write, .permanent), (503, .service, .transient), (304, .service, .permanent),
    ]

    @Test(arguments: statuses)
    func `Only a status that the service gives to the write is about the write`(
      status: Int, scope: FailureScope, kind: FailureKind
    ) async throws {
      try await service.control(.status(status))
      let error = await failure { try await service.cars().updateOne(car(1)) }
      #expect((error as? HTTPError)?.failureKind == kind)
      #expect(error.map { FailureScope($0) } == scope)
    }

    @Test func `What failed before the service answered is about the service, whatever its kind`()
      async throws
    {
      let codes: [HTTPError.Code] = [
        .refused, .unreachable, .connectionLost, .malformed, .postponed, .suspended, .timedOut,
        .untrusted, .insecure, .redirectRefused, .unexpectedStatus, .misconfigured, .incompleteList,
        .unauthorized, .server, .tooLarge, .undecodable, .init(rawValue: "own"),
      ]
      for code in codes { #expect(HTTPError(code).failureScope == .service, "\(code)") }
      let refused: [HTTPError.Code] = [
        .notFound, .conflict, .alreadyExists, .preconditionFailed, .client, .unaddressable,
        .unbounded, .unsupportedCriteria,
      ]
      for code in refused { #expect(HTTPError(code).failureScope == .write, "\(code)") }
      #expect(HTTPError(.timedOut, failureScope: .write).failureScope == .write)
    }

    @Test func `Only a request without a connection, or held back, certainly did not arrive`() {
      let unsent: [HTTPError.Code] = [.refused, .unreachable, .untrusted, .postponed, .suspended]
      for code in unsent { #expect(!HTTPError(code).mayHaveArrived, "\(code)") }
      let doubtful: [HTTPError.Code] = [
        .connectionLost, .malformed, .timedOut, .redirectRefused, .unexpectedStatus, .server,
        .tooLarge, .undecodable, .client, .unauthorized, .misconfigured, .init(rawValue: "own"),
      ]
      for code in doubtful { #expect(HTTPError(code).mayHaveArrived, "\(code)") }
      #expect(EvocationError.noData.mayHaveArrived)
      #expect(!EvocationError.offline(model: "Car").mayHaveArrived)
    }

    @Test func `A repetition that cannot connect leaves it open whether the first arrived`()
      async throws
    {
      let count = Lock(0)
      let lost = Scripted { _ in
        let isFirst = count.withLock { count in
          count += 1
          return count == 1
        }
        throw URLError(isFirst ? .networkConnectionLost : .cannotConnectToHost)
      }
      let things = try lost.things { $0.idempotency = .key("Idempotency-Key") }
      let error = await failure { try await things.updateOne(Thing(id: 1)) } as? HTTPError
      #expect(lost.asked.elements.count == 2)
      #expect(error?.code == .connectionLost && error?.mayHaveArrived == true)
    }

    @Test func `A portal that redirects, or a network without a way, says nothing of the write`()
      async throws
    {
      try await service.control(.redirect(to: "https://portal.invalid/", status: 302))
      let portal = await failure { try await service.cars().storeOne(car(500)) } as? HTTPError
      #expect(portal?.code == .redirectRefused)
      #expect(portal?.failureScope == .service)
      let held = try HeldPort()
      let nobody = HTTPRepository<Car>(HTTPService(held.url), "cars")
      let refused = await failure { try await nobody.storeOne(car(500)) } as? HTTPError
      #expect(refused?.code == .refused && refused?.failureScope == .service)
      withExtendedLifetime(held) {}
      let wrong = service.cars { $0.routes.find.method = "" }
      let misconfigured = await failure { try await wrong.storeOne(car(500)) } as? HTTPError
      #expect(misconfigured?.failureScope == .service)
    }

    @Test func `A write that cannot be sent at all is about the write`() async throws {
      struct Place: Codable, Identifiable, Sendable { var id: String }
      let places = HTTPRepository<Place>(HTTPService(service.url), "cars")
      let unaddressable =
        await failure { try await places.updateOne(Place(id: "..")) } as? HTTPError
      #expect(unaddressable?.code == .unaddressable)
      #expect(unaddressable?.failureScope == .write)
      var heavy = car(1)
      heavy.acceleration = .infinity
      let unencodable = await failure { try await service.cars().updateOne(heavy) }
      #expect(unencodable is EncodingError)
      #expect(unencodable.map { FailureScope($0) } == .write)
      #expect(try await service.requests().isEmpty)
    }

    @Test(arguments: ["application/json", "application/vnd.cars+json; charset=utf-8", "text/json"])
    func `An answer of the service that cannot be read says that the write was carried out`(
      type: String
    ) async throws {
      let headers = ["Content-Type": type]
      for body in [#"{"ok":true}"#, "[]"] {
        try await service.control(.status(200, headers: headers, body: body))
        // An array without models says of a change that there was nothing to change.
        for call in ["storeOne", "storeOrUpdate"] + (body == "[]" ? [] : ["updateOne", "update"]) {
          let error = await failure { try await write(call, service.cars()) } as? HTTPError
          #expect(error?.code == .undecodable)
          #expect(error?.failureScope == .carriedOut)
          #expect(error?.failureKind == .permanent)
        }
        #expect(try await service.cars().removeOne(car(1)).value == (body == "[]" ? nil : car(1)))
      }
    }

    private func write(_ call: String, _ cars: HTTPRepository<Car>) async throws {
      switch call {
      case "storeOne": _ = try await cars.storeOne(car(1))
      case "updateOne": _ = try await cars.updateOne(car(1))
      case "removeOne": _ = try await cars.removeOne(car(1))
      case "update": _ = try await cars.update([car(1), car(2)])
      default: _ = try await cars.storeOrUpdate([car(1)])
      }
    }

    private static let foreign: [(String, String)] = [
      ("text/html; charset=utf-8", "<html>Sign in</html>"), ("text/plain", "Sign in"),
      ("application/json", " <html>Sign in</html>"),
    ]

    @Test(arguments: foreign, [true, false])
    func `An answer of a portal to a write is not the service's, also where no models are answered`(
      answer: (String, String), answersModels: Bool
    ) async throws {
      let headers = ["Content-Type": answer.0]
      try await service.control(.status(200, headers: headers, body: answer.1))
      let cars = service.cars {
        $0.routes.change { if $0.method != "GET" { $0.answersModels = answersModels } }
      }
      for call in ["storeOne", "updateOne", "storeOrUpdate", "removeOne", "update"] {
        let error = await failure { try await write(call, cars) } as? HTTPError
        #expect(error?.code == .undecodable, "\(call)")
        #expect(error?.failureScope == .service)
        #expect(error?.failureKind == .transient)
        #expect(error?.body == answer.1)
      }
    }

    @Test func `The sentence about a portal's answer says how to mend it`() async throws {
      try await service.control(
        .status(200, headers: ["Content-Type": "text/html"], body: "<html>"))
      let error = await failure { try await service.cars().updateOne(car(1)) }
      #expect(
        "\(error as Any)".contains(
          "PATCH /cars/1 got 200 with text/html, which is not the service's answer; sign in to "
            + "the network, or name the type in the header field Accept."))
      let untold = HTTPError(.undecodable, method: "PUT", failureScope: .service)
      #expect(
        untold.description
          == "PUT / got 200 with an answer that is not the service's; sign in to the network, or "
          + "name the type in the header field Accept.")
      // A read that gets one may succeed the next time.
      let read = await failure { try await service.cars().find(Criteria()) } as? HTTPError
      #expect(read?.code == .undecodable && read?.failureKind == .transient)
      #expect(read?.failureScope == .service)
    }

    @Test func `Models are the service's under any type, and so is a type that is asked for`()
      async throws
    {
      try await service.control(.contentType("text/html"))
      #expect(try await service.cars().updateOne(car(1)).value == car(1))
      #expect(try await service.cars().update([car(1), car(2)]).value.count == 2)
      try await service.reset()
      try await service.control(.status(200, headers: ["Content-Type": "text/plain"], body: "done"))
      let cars = service.cars {
        $0.headers["Accept"] = "application/json, text/*;q=0.5"
        $0.routes.updateOne.answersModels = false
      }
      #expect(try await cars.updateOne(car(1)).value == car(1))
      #expect(try await cars.removeOne(car(1)).value == car(1))
      // Any type at all names none.
      let any = service.cars { $0.headers["Accept"] = "*/*" }
      let error = await failure { try await any.removeOne(car(1)) } as? HTTPError
      #expect(error?.failureScope == .service)
    }

    @Test func `A body without a type, and none at all, are the service's`() async throws {
      try await service.control(.status(200, headers: ["Content-Type": "text/html"], body: ""))
      #expect(try await service.cars().updateOne(car(1)).value == car(1))
      try await service.control(.status(200, headers: ["Content-Type": "-"], body: "done"))
      #expect(try await service.cars().removeOne(car(1)).value == car(1))
    }

    @Test func `An answer that is too large says as much as its head does`() async throws {
      let cars = service.cars { $0.maximumResponseSize = 10 }
      let body = String(repeating: "x", count: 100)
      for (status, type, scope) in [
        (200, "application/json", FailureScope.carriedOut), (200, "text/html", .service),
        (422, "application/json", .write), (401, "text/html", .service),
        (503, "text/html", .service),
      ] {
        try await service.control(
          .status(status, headers: ["Content-Type": type], body: body))
        let error = await failure { try await cars.updateOne(car(1)) } as? HTTPError
        #expect(error?.code == .tooLarge)
        #expect(error?.failureScope == scope, "\(status) \(type)")
      }
    }

    @Test func `A write of several models says what the request that failed says`() async throws {
      let cars = service.cars { $0.routes = .restOneByOne }
      try await service.control(.status(403).only(path: "/cars/2"))
      let error = await failure { try await cars.update([car(1), car(2)]) } as? HTTPPartialError
      #expect(error?.failureKind == .authorization)
      #expect(error?.failureScope == .write)
    }

    @Test func `A batch that a portal answers was not carried out`() async throws {
      let service = try await Service.start(dialect: .records)
      let cars = HTTPRepository<RecordCar>(at: service.url, "cars", Dialects.records())
      let two = [RecordCar(car(1)), RecordCar(car(2))]
      try await service.control(.garbage(times: 1))
      let foreign = await failure { try await cars.update(two) } as? HTTPError
      #expect(foreign?.failureScope == .service)
      try await service.control(.status(200, times: 1, body: "{}"))
      let unread = await failure { try await cars.update(two) } as? HTTPError
      #expect(unread?.failureScope == .carriedOut)
    }
  }
#endif
