import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// A model with dates, at any depth.
  private struct Visit: Codable, Identifiable, Sendable {
    struct Stay: Codable, Sendable { var from: Date }
    var id: Int
    var at: Date
    var stays: [Stay]?
  }

  @Suite(.patient) struct UndecodableTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private static let decoders: [@Sendable () -> JSONDecoder] = [
      HTTPFormat.defaultDecoder,
      {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
      },
    ]

    @Test func `A date that cannot be read says where it stands, and not what it is`() async throws
    {
      let bodies = [
        (#"[{"id": 1, "at": "22.11.2026"}]"#, "[0].at"),
        (#"[{"id": 1, "at": "2026-11-22 noon"}]"#, "[0].at"),
        (
          #"[{"id": 1, "at": "2026-11-22T00:00:00Z", "stays": [{"from": "soon"}]}]"#,
          "[0].stays[0].from"
        ),
      ]
      for decoder in Self.decoders {
        for (body, place) in bodies {
          try await service.control(.status(200, body: body))
          var configuration = Setup()
          configuration.decoder = decoder
          let visits = HTTPRepository<Visit>(at: service.url, "cars", configuration)
          let error = await failure { try await visits.find(Criteria()) } as? HTTPError
          #expect(error?.code == .undecodable)
          // The system's own strategy tells the place of the object around it.
          let outer = place.split(separator: ".").dropLast().joined(separator: ".")
          let sentences = [place, outer].map { place in
            "GET /cars got 200 with a date that cannot be read at \"\(place)\"; check the path, "
              + "the envelope and the model's coding keys against the service."
          }
          #expect(sentences.contains(error?.description ?? ""))
        }
      }
    }
  }
#endif
