import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// What is not sent, because it would do harm or could not be understood.
  @Suite(.patient) struct RefusedBeforeSendingTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private static let emptyQueries: [[URLQueryItem]] = [
      [], [URLQueryItem(name: "id", value: nil)], [URLQueryItem(name: "id", value: "")],
      [URLQueryItem(name: "id", value: ""), URLQueryItem(name: "limit", value: nil)],
      [URLQueryItem(name: "version", value: "7")], [URLQueryItem(name: "id", value: "1")],
    ]

    @Test func `A removal of many whose query does not name each of them is not sent`() async throws
    {
      for items in Self.emptyQueries {
        let cars = service.cars { $0.query = { _ in items } }
        let error = await failure { try await cars.remove([car(1), car(2)]) } as? HTTPError
        #expect(error?.code == .unbounded)
        #expect(error?.failureKind == .permanent)
        #expect(
          error?.description
            == "DELETE /cars was not sent, because it would change all models: the query that "
            + "removes 2 models does not name each of them; check the filters and the routes.")
      }
      #expect(try await service.requests().isEmpty)
      #expect(try await service.cars().find(Criteria()).value.count == 406)
    }

    @Test(arguments: ["", "GE T", "GET\r\nX-Evil: 1", "G\u{0}T", "PÖST", "GET ", "\u{7F}"])
    func `A method that is none is named before anything is sent`(method: String) async throws {
      let cars = service.cars { $0.routes.find.method = method }
      #expect(cars.configurationError?.code == .misconfigured)
      let error = await failure { try await cars.storeOne(car(500)) } as? HTTPError
      #expect(error?.code == .misconfigured)
      let sentence = "\(error?.description ?? "")"
      #expect(!sentence.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
      #expect(try await service.requests().isEmpty)
    }

    @Test(arguments: ["", "A B", "A\r\nB", "A:", "A\u{0}", "Ä", " A"])
    func `A name of a field that is none is named before anything is sent`(
      name: String
    )
      async throws
    {
      for change: @Sendable (inout Setup) -> Void in [
        { $0.headers = [name: "1"] }, { $0.idempotency = .sent(name) },
        { $0.routes.storeOne.headers = [name: "1"] },
      ] {
        let cars = service.cars(change)
        #expect(cars.configurationError?.code == .misconfigured)
        let error = await failure { try await cars.find(Criteria()) } as? HTTPError
        #expect(error?.code == .misconfigured)
      }
      #expect(try await service.requests().isEmpty)
    }

    @Test func `Values of fields keep no control characters`() async throws {
      let cars = service.cars {
        $0.headers = ["X-Value": "a\r\nX-Evil: 1\u{0}\u{7F}b"]
        $0.authorization = { _ in "Bearer secret\n" }
      }
      _ = try await cars.findOne(["id": 1])
      let headers = try await service.requests().first?.headers
      #expect(headers?["x-value"] == "aX-Evil: 1b")
      #expect(headers?["x-evil"] == nil)
      #expect(headers?["authorization"] == "Bearer secret")
    }

    @Test func `A wait with a fraction is told with it`() async throws {
      try await service.control(.status(503, headers: ["Retry-After": "4.4"]))
      let error = await failure { try await service.cars().find(Criteria()) } as? HTTPError
      #expect(
        error?.description
          == "GET /cars got 503, because the server failed; try again in 4.4 s."
      )
    }
  }
#endif
