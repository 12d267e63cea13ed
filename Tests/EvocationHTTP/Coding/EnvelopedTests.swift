import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// Answers that are not in the form that was asked for.
  @Suite(.patient) struct EnvelopedTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    /// What the decoder says of the answer that a call fails with.
    private func context<Value>(
      _ reason: String, _ call: () async throws -> Value
    ) async throws -> DecodingError.Context? {
      let error = try #require(await failure(call) as? HTTPError)
      #expect(error.code == .undecodable)
      #expect(error.reason == reason)
      return switch error.underlying as? DecodingError {
      case .dataCorrupted(let context), .keyNotFound(_, let context): context
      default: nil
      }
    }

    @Test func `Several models in answer to one are refused, and one in an array is taken`()
      async throws
    {
      let cars = service.cars()
      let one = try JSONEncoder().encode([car(500)])
      try await service.control(.status(201, body: String(decoding: one, as: UTF8.self)))
      #expect(try await cars.storeOne(car(500)).value == car(500))
      let two = try JSONEncoder().encode([car(500), car(501)])
      try await service.control(.status(201, body: String(decoding: two, as: UTF8.self)))
      let context = try await context("a value that does not decode at \"[1]\"") {
        try await cars.storeOne(car(500))
      }
      #expect(context?.debugDescription == "There are several models instead of one.")
    }

    @Test func `A removal without an id is refused, so that none is passed over`() async throws {
      let cars = service.cars { $0.changes = .init(since: "since", mark: .key("mark")) }
      try await service.control(.status(200, body: #"[{"id": 7, "deleted": true}]"#))
      #expect(try await cars.changes(Criteria(), since: "1").value?.removed == [.integer(7)])
      try await service.control(
        .status(200, body: #"[{"id": 7, "deleted": true}, {"deleted": true}]"#))
      let context = try await context("no value at \"[1].id\"") {
        try await cars.changes(Criteria(), since: "1")
      }
      #expect(context?.debugDescription == "A removed model has no id.")
    }

    @Test func `Elements that wrap the models are those of a bundle of FHIR`() async throws {
      struct Patient: Codable, Identifiable, Equatable, Sendable {
        var id: String
        var gender: String?
      }
      // As in the example of a search in the documentation of FHIR R4.
      let bundle = #"""
        {"resourceType": "Bundle", "type": "searchset", "total": 2,
         "link": [{"relation": "self", "url": "https://example.com/base/Patient"}],
         "entry": [
           {"fullUrl": "https://example.com/base/Patient/3123", "search": {"mode": "match", "score": 1},
            "resource": {"resourceType": "Patient", "id": "3123", "gender": "female"}},
           {"resource": {"resourceType": "Patient", "id": "347", "meta": {"versionId": "2"}}}]}
        """#
      let wholes = [bundle, #"{"resourceType": "Bundle", "type": "searchset", "total": 0}"#]
      for version in ["meta.versionId", nil] {
        for (whole, ids) in zip(wholes, [["3123", "347"], []]) {
          var setup = Setup(.rest)
          setup.transport = Scripted { _ in (200, [:], whole) }
          setup.envelope = .keys(list: "entry[].resource", model: nil)
          setup.next = .key("link[relation=next].url")
          setup.total = .key("total")
          setup.routes.find.mayBeEmpty = true
          if let version { setup.version = .property(version) }
          let url = try #require(URL(string: "https://example.com/base"))
          let patients = HTTPRepository<Patient>(at: url, "Patient", setup)
          let found = try await patients.find(Criteria())
          #expect(
            found.value.map(\.id) == ids
              && found.value.first?.gender == (ids.isEmpty ? nil : "female"))
          #expect(version == nil || ids.isEmpty || found.versions == [nil, "2"])
        }
      }
      var setup = Setup(.rest)
      setup.transport = Scripted { _ in
        (200, [:], #"{"entry": [{"resource": {"id": "1"}}, {"id": "2"}]}"#)
      }
      setup.envelope = .key("entry[].resource")
      let url = try #require(URL(string: "https://example.com/base"))
      let patients = HTTPRepository<Patient>(at: url, "Patient", setup)
      let error = await failure { try await patients.find(Criteria()) } as? HTTPError
      #expect(error?.code == .undecodable)
    }
  }
#endif
