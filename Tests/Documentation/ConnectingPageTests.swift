import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

#if os(macOS) || os(Linux)
  /// The samples of the page on services, word for word, on services of their kinds.
  @Suite(.serialized, .patient) struct ConnectingPageTests {
    struct Vehicle: Codable, Identifiable, Sendable {
      let id: Int
      var name: String
      var milesPerGallon: Double?
      var year: Int
    }

    @Test func `plain REST needs no configuration`() async throws {
      let service = try await Service.start()
      let url = service.url
      let vehicles = HTTPRepository<Vehicle>(HTTPService(url), "cars")
      let recent = try await vehicles.find(Criteria.Key("year") >= 1980).value
      #expect(recent.count == 90)
    }

    @Test func `a refusal has the service's own words`() async throws {
      let service = try await Service.start(dialect: .links)
      let evocation = Evocation()
      evocation.register(for: Vehicle.self)
        .repository(remote: HTTPRepository<Vehicle>(HTTPService(service.url), "cars"))
        .strategy(.remoteOnly)
      let vehicle = Vehicle(id: 500, name: "x", milesPerGallon: nil, year: 1)
      let result = await evocation.storeOne(vehicle)
      if let error = result.error as? HTTPError {
        print(error)  // one sentence without a value of the model's
        print(error.message ?? "The service did not say why.")
        for (field, sentences) in error.fields { print(field, sentences) }
      }
      let error = try #require(result.error as? HTTPError)
      #expect(error.message == "Validation Failed")
      #expect(error.fields["weight"] == ["missing_field"])
    }
  }
#endif
