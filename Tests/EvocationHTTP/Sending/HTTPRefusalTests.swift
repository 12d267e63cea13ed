import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import TransportSuite

#if os(macOS) || os(Linux)
  /// What a service says is wrong, in its own words.
  @Suite(.patient) struct HTTPRefusalTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private func refusal(
      _ status: Int, _ body: String, _ change: (inout Setup) -> Void = { _ in }
    ) async throws -> HTTPError? {
      try await service.control(.status(status, body: body))
      let cars = service.cars(change)
      return await failure { try await cars.storeOrUpdate([car(1)]) } as? HTTPError
    }

    @Test(
      arguments: [
        (#"{"message": "No."}"#, "No."),
        (#"{"detail": "No."}"#, "No."),
        (#"{"error": {"message": "No."}}"#, "No."),
        (#"{"error": "invalid_grant", "error_description": "No."}"#, "No."),
        (#"{"error": "No."}"#, "No."),
        (#"{"message": 5, "detail": "No."}"#, "No."),
        (#"{"other": "No."}"#, nil),
        (#"["No."]"#, nil),
        (#"{"errors": [{"message": "No."}]}"#, "No."),
        (#"{"detail": {"code": "x", "message": "No."}}"#, "No."),
        (#"{"detail": [{"loc": ["body", "year"], "msg": "No.", "type": "x"}]}"#, "No."),
        ("<html>No.</html>", nil),
      ] as [(String, String?)])
    func `The words of a refusal are found where services have them`(
      body: String, message: String?
    )
      async throws
    {
      #expect(try await refusal(400, body)?.message == message)
    }

    @Test func `Words somewhere else are found where the configuration says`() async throws {
      let body = #"{"errors": [{"title": "Bad year", "source": {"pointer": "/year"}}]}"#
      let error = try await refusal(422, body) { $0.refusals.message = ["errors.0.title"] }
      #expect(error?.message == "Bad year")
      #expect(error?.description.contains("Bad") == false)
    }

    @Test(
      arguments: [
        (
          #"{"year": ["A valid integer is required."]}"#, ["year": ["A valid integer is required."]]
        ),
        (#"{"errors": {"year": ["a", "b"], "name": "c"}}"#, ["year": ["a", "b"], "name": ["c"]]),
        (#"{"errors": {"owner": {"name": ["c"]}}}"#, ["owner.name": ["c"]]),
        (
          #"{"message": "Validation Failed", "errors": [{"field": "year", "code": "invalid"}]}"#,
          ["year": ["invalid"]]
        ),
        (
          #"{"details": [{"location": "body", "name": "year", "description": "Required"}]}"#,
          ["year": ["Required"]]
        ),
        (#"{"error": {"errors": [{"path": "year", "message": "c"}]}}"#, ["year": ["c"]]),
        (
          #"{"errors": [{"message": "c", "extensions": {"field": "year"}}]}"#, ["year": ["c"]]
        ),
        (
          #"{"errors": [{"detail": "c", "source": {"pointer": "/data/attributes/year"}}]}"#,
          ["year": ["c"]]
        ),
        (
          #"{"errors": [{"detail": "c", "source": {"pointer": "/data/attributes/owner/name"}}]}"#,
          ["owner.name": ["c"]]
        ),
        (#"{"errors": [{"detail": "c", "source": {"pointer": "/data"}}]}"#, [:]),
        (
          #"{"errors": [{"detail": "c", "source": {"parameter": "sort"}}]}"#, ["sort": ["c"]]
        ),
        (#"{"errors": {"type": "t", "message": "c", "param": "year"}}"#, ["year": ["c"]]),
        (#"{"errors": {"type": "t", "message": "c"}}"#, [:]),
        (
          #"{"detail": [{"type": "greater_than_equal", "loc": ["body", "year"], "msg": "c", "input": 1}]}"#,
          ["year": ["c"]]
        ),
        (
          #"{"detail": [{"loc": ["body", "owners", 0, "name"], "msg": "c"}, {"loc": ["query", "limit"], "msg": "d"}]}"#,
          ["owners.0.name": ["c"], "limit": ["d"]]
        ),
        (
          #"{"detail": [{"loc": ["path", "id"], "msg": "c"}, {"loc": ["path", "id"], "msg": "d"}]}"#,
          ["id": ["c", "d"]]
        ),
        (#"{"detail": [{"loc": ["body", "body"], "msg": "c"}]}"#, ["body": ["c"]]),
        (#"{"detail": [{"loc": ["body"], "msg": "c"}, {"loc": ["body", 12], "msg": "d"}]}"#, [:]),
        (#"{"errors": [{"loc": ["year"], "msg": "c"}]}"#, ["year": ["c"]]),
        (#"[{"loc": ["year"], "msg": "c"}]"#, ["year": ["c"]]),
        (#"{"items": [{"name": "year", "description": "c"}]}"#, [:]),
        (#"{"detail": "No."}"#, [:]),
        (#"{"errors": ["No."]}"#, [:]),
      ] as [(String, [String: [String]])])
    func `Errors of single fields are found in all their forms`(
      body: String, fields: [String: [String]]
    ) async throws {
      #expect(try await refusal(400, body)?.fields == fields)
    }

    @Test func `A rule says what a status alone does not`() async throws {
      let body = #"{"name": ["car with this name already exists."]}"#
      try await service.control(.status(400, body: body).only(method: "POST"))
      let cars = service.cars {
        $0.refusals.rules = [
          .init(400, key: "name", contains: "Already Exists", means: .alreadyExists)
        ]
      }
      await #expect(throws: EvocationError.alreadyExists(["1"])) {
        try await cars.storeOne(car(1))
      }
      try await service.release()
      try await service.control(.status(400, body: body))
      let update = await failure { try await cars.updateOne(car(500)) } as? HTTPError
      #expect(update?.code == .alreadyExists)
      #expect(update?.failureKind == .conflict)
      #expect(
        update?.description
          == "PATCH /cars/500 was refused with 400, because the server already has this model; "
          + "update the model, or store it under another id.")
      #expect(update?.fields["name"] == ["car with this name already exists."])
      try await service.release()
      try await service.control(.status(400, body: #"{"year": ["already exists"]}"#))
      let other = await failure { try await cars.storeOne(car(500)) } as? HTTPError
      #expect(other?.code == .client)
    }

    @Test func `A service with places and meanings of its own is described at once`() async throws {
      let theirs = car(1, "theirs")
      let json = String(decoding: try JSONEncoder().encode(theirs), as: UTF8.self)
      let body =
        #"{"kind": "LOCKED", "why": "No.", "bad": {"year": ["a"]}, "ours": \#(json), "message": "x"}"#
      var rule = HTTPFormat.Refusals.Match(
        409, key: "kind", contains: "locked", means: .client)
      for meaning in [HTTPError.Code.client, .preconditionFailed] {
        rule.meaning = meaning
        let rules = [HTTPFormat.Refusals.Match(409, contains: "other", means: .server), rule]
        let error = try await refusal(409, body) {
          $0.refusals = HTTPFormat.Refusals(
            message: ["reason", "why"], fields: ["bad"], current: ["ours"], rules: rules)
        }
        #expect(error?.code == meaning)
        #expect(error?.message == "No.")
        #expect(error?.fields == ["year": ["a"]])
        #expect(error?.current as? Car == theirs)
      }
    }

    @Test func `A 409 that a rule knows is not taken for a model that is there`() async throws {
      let rows = service.cars {
        $0.refusals.rules = [.init(409, key: "code", contains: "23503", means: .client)]
      }
      let reference = #"{"code": "23503", "message": "violates foreign key constraint"}"#
      try await service.control(.status(409, body: reference))
      let error = await failure { try await rows.storeOne(car(500)) } as? HTTPError
      #expect(error?.code == .client && error?.failureKind == .permanent)
      #expect(error?.message == "violates foreign key constraint")
      let several = await failure { try await rows.store([car(500), car(501)]) } as? HTTPError
      #expect(several?.code == .client)
      try await service.release()
      try await service.control(.status(409, body: #"{"code": "23505"}"#).only(method: "POST"))
      await #expect(throws: EvocationError.alreadyExists(["1"])) {
        try await rows.storeOne(car(1))
      }
    }

    @Test func `What the four kinds of services say is found without a word about it`()
      async throws
    {
      struct Wrong: Codable, Identifiable, Sendable {
        var id: Int
        var name = "x"
        var year = "never"
      }
      func error(
        _ dialect: Service.Dialect, _ configuration: Setup
      ) async throws -> HTTPError? {
        let service = try await Service.start(dialect: dialect)
        let wrong = HTTPRepository<Wrong>(at: service.url, "cars", configuration)
        return await failure { try await wrong.updateOne(Wrong(id: 1)) } as? HTTPError
      }
      let links = try await error(.links, Dialects.links())
      #expect(links?.message == "Validation Failed")
      #expect(links?.fields == ["year": ["invalid"]])
      let envelope = try await error(.envelope, Dialects.envelopes())
      #expect(envelope?.fields == ["year": ["A valid integer is required."]])
      let rows = try await error(.postgrest, Dialects.rows())
      #expect(rows?.message == "invalid input syntax for type integer: \"never\"")
      #expect(rows?.fields == [:])
    }
  }
#endif
