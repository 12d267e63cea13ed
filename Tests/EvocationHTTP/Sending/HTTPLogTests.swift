import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// What is written of each request as it ends.
  @Suite(.patient) struct HTTPLogTests {
    private let service: Service
    private let lines = Lock<[String]>([])

    init() async throws {
      service = try await Service.start()
    }

    @Test func `a request is told by its method, its service and its route`() async throws {
      let log = Evocation.Log(levels: [.http]) { [lines] entry in
        guard case .request(let request) = entry else { return }
        let end = "\(request.status ?? 0) \(request.error ?? "")"
        lines.withLock { $0.append("\(request.method) \(request.address) \(end)") }
      }
      let cars = service.cars { configuration in
        configuration.log = log
        configuration.authorization = { _ in "Bearer secret" }
      }
      try await service.control(.status(200, times: 1, body: "[]"), .status(503, times: 1))
      _ = try await cars.find(["year": 1970])
      _ = try? await cars.find(Criteria())
      _ = try? await cars.findOne(["id": 77])
      log.flush()
      let written = lines.withLock { $0 }
      #expect(written.count == 3)
      #expect(written.map { $0.split(separator: " ").first } == ["GET", "GET", "GET"])
      #expect(written.map { $0.contains("http://127.0.0.1:") } == [true, true, true])
      #expect(written[0].hasSuffix(" 200 ") && written[1].hasSuffix(" 503 "))
      for secret in ["1970", "77", "secret", "year"] {
        #expect(!written.contains { $0.replacing(/:\d+/, with: "").contains(secret) })
      }
    }

    @Test func `an error is told by its status, or else by its kind, and by nothing of the user's`()
    {
      let url = URL(string: "https://example.com/cars?name=secret")
      let refused = HTTPError(
        .conflict, method: "POST", url: url, status: 409, body: "secret", message: "secret")
      #expect(refused.logDescription == "409")
      let unanswered = HTTPError(.timedOut, method: "GET", url: url, reason: "secret")
      #expect(unanswered.logDescription == "timedOut")
    }

    @Test func `a request without an answer says why`() async throws {
      let log = Evocation.Log(levels: [.http]) { [lines] entry in
        if case .request(let request) = entry {
          lines.withLock { $0.append(request.error ?? "") }
        }
      }
      let nowhere = try #require(URL(string: "http://127.0.0.1:1"))
      var configuration = Setup()
      configuration.log = log
      let cars = HTTPRepository<Car>(at: nowhere, "cars", configuration)
      _ = try? await cars.find(Criteria())
      log.flush()
      #expect(lines.withLock { $0 } == ["refused"])
    }
  }
#endif
