import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A repository of a service that no other model type shares, in one line.
@Suite(.patient) struct HTTPRepositoryBaseURLTests {
  @Test func `A repository is made of an address and a path, with or without settings`()
    async throws
  {
    let service = Scripted { _ in (200, [:], "[]") }
    let url = try #require(URL(string: "https://example.com/api"))
    var configuration = HTTPService.Configuration()
    configuration.transport = service
    configuration.headers = ["X-App": "1"]
    let things = HTTPRepository<Thing>(baseURL: url, path: "things", configuration: configuration)
    #expect(try await things.find(["id": 1]).value.isEmpty)
    #expect(service.lines == ["GET /api/things?id=1"])
    #expect(service.asked.elements.allSatisfy { $0.headers["X-App"] == "1" })
    _ = HTTPRepository<Thing>(baseURL: url, path: "things")  // sends nothing yet
  }
}
