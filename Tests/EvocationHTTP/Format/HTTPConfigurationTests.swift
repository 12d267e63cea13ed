import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// What was written for one value in place of a service and a format goes on working.
@Suite(.patient) struct HTTPConfigurationTests {
  /// Asked for as this, so that what is deprecated does not warn in the tests.
  private protocol Written {
    func repositories(of service: Scripted, _ url: URL) -> [HTTPRepository<Thing>]
    func defaults(of service: Scripted, _ url: URL) -> HTTPRepository<Thing>
  }

  private struct Before: Written {
    @available(*, deprecated)
    func repositories(of service: Scripted, _ url: URL) -> [HTTPRepository<Thing>] {
      var configuration = HTTPConfiguration()
      configuration.routes = .restOneByOne
      configuration.filters = .suffixes
      configuration.headers = ["X-App": "1"]
      configuration.idempotencyField = "X-Key"
      configuration.session = URLSessionTransport.defaultConfiguration
      configuration.transport = service
      configuration.timeout = .seconds(7)
      return ["things", "others"].map { path in
        HTTPRepository(baseURL: url, path: path, configuration: configuration)
      }
    }

    @available(*, deprecated)
    func defaults(of service: Scripted, _ url: URL) -> HTTPRepository<Thing> {
      var configuration = HTTPConfiguration()
      configuration.transport = service
      #expect(configuration.idempotencyField == "Idempotency-Key")
      #expect((try? configuration.queryItems(for: ["id": 1]))?.first?.name == "id")
      configuration.routes.remove = .init("DELETE")
      configuration.identifiersPerRequest = 7
      #expect(configuration.routes.remove?.most == 7 && configuration.identifiersPerRequest == 7)
      #expect(configuration.name(of: "id") == "id" && configuration.text(of: .integer(1)) == "1")
      _ = HTTPConfiguration.defaultEncoder()
      _ = HTTPConfiguration.defaultDecoder()
      return HTTPRepository(baseURL: url, path: "things", configuration: configuration)
    }
  }

  @Test func `A configuration makes repositories that share a service`() async throws {
    let service = Scripted { request in
      (200, [:], request.method == "GET" ? "[]" : #"{"id": 1}"#)
    }
    let url = try #require(URL(string: "https://example.com"))
    let before: any Written = Before()
    for things in before.repositories(of: service, url) {
      _ = try await things.find(Criteria.Key("id") >= 1)
      _ = try await things.storeOne(Thing(id: 1))
    }
    #expect(
      service.lines == [
        "GET /things?id__gte=1", "POST /things", "GET /others?id__gte=1", "POST /others",
      ])
    let asked = service.asked.elements
    #expect(asked.allSatisfy { $0.headers["X-App"] == "1" && $0.timeout == .seconds(7) })
    #expect(asked.filter { $0.headers["X-Key"] != nil }.map(\.method) == ["POST", "POST"])
    #expect(asked.allSatisfy { $0.method == "GET" || !$0.isRepeatable })
    #expect(try await before.defaults(of: service, url).find(Criteria()).value.isEmpty)
  }
}
