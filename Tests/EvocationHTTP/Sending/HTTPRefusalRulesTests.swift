import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestTraits
import Testing
import TransportSuite

/// Rules of refusals, which are asked for every status.
@Suite(.patient) struct HTTPRefusalRulesTests {
  private static let no =
    #"{"success":false,"error":"quota exceeded","fields":{"name":"too long"}}"#

  private func refused(
    _ body: String = Self.no,
    _ rules: [HTTPFormat.Refusals.Match] = [
      .init(200, contains: "\"success\":false", means: .client)
    ], _ change: (inout Setup) -> Void = { _ in }
  ) throws -> HTTPRepository<Thing> {
    try Scripted { _ in (200, [:], body) }.things {
      $0.refusals.rules = rules
      change(&$0)
    }
  }

  @Test func `A service that says no inside a 200 has refused every kind of call`() async throws {
    let things = try refused()
    let calls: [() async throws -> Void] = [
      { _ = try await things.find(Criteria()) },
      { _ = try await things.findOne(["id": 1]) },
      { _ = try await things.storeOne(Thing(id: 1)) },
      { _ = try await things.store(Thing.list(2)) },
      { _ = try await things.updateOne(Thing(id: 1)) },
      { _ = try await things.update(Thing.list(2)) },
      { _ = try await things.storeOrUpdate([Thing(id: 1)]) },
      { _ = try await things.storeOrUpdate(Thing.list(2)) },
      { _ = try await things.removeOne(Thing(id: 1)) },
      { _ = try await things.remove(Thing.list(2)) },
    ]
    for call in calls {
      let error = await failure(call) as? HTTPError
      #expect(error?.code == .client && error?.status == 200)
      #expect(error?.message == "quota exceeded")
      #expect(error?.fields == ["name": ["too long"]])
      #expect(error?.failureKind == .permanent)
    }
    let bulk = try refused { $0.format.routes = Setup().format.routes }
    for call in [
      { _ = try await bulk.store(Thing.list(2)) }, { _ = try await bulk.update(Thing.list(2)) },
      { _ = try await bulk.storeOrUpdate(Thing.list(2)) },
      { _ = try await bulk.remove(Thing.list(2)) },
    ] as [() async throws -> Void] {
      #expect((await failure(call) as? HTTPError)?.message == "quota exceeded")
    }
  }

  @Test(
    arguments: [
      (#"{"success": false}"#, true), (#"{ "success" : false }"#, true),
      (#"{"success":true,"name":"success:false"}"#, false),
    ])
  func `Blanks between the signs of JSON are a matter of taste`(
    body: String, isRefused: Bool
  ) async throws {
    let things = try refused(body)
    let error = await failure { try await things.removeOne(Thing(id: 1)) } as? HTTPError
    #expect((error?.code == .client) == isRefused)
  }

  @Test(
    arguments: [
      (#"{"ok": false}"#, "ok", "false", true), (#"{"ok": true}"#, "ok", "false", false),
      (#"{"code": 17}"#, "code", "17", true), (#"{"code": 17}"#, "code", nil, true),
      (#"{"code": 1}"#, "code", "1", true), (#"{"code": 1}"#, "code", nil, true),
      (#"{"code": 0}"#, "code", nil, false), (#"{"error": null}"#, "error", nil, false),
      (#"{"error": ""}"#, "error", nil, false), (#"{"error": false}"#, "error", nil, false),
      (#"{"errors": []}"#, "errors", nil, false), (#"{"errors": {}}"#, "errors", nil, false),
      (#"{"id": 1}"#, "errors", nil, false), (#"{"errors": [{}]}"#, "errors", nil, true),
      (#"{"meta": {"error": "x"}}"#, "meta.error", nil, true),
    ] as [(String, String, String?, Bool)])
  func `A rule with a key looks at its value, and without words at whether it says anything`(
    body: String, key: String, words: String?, isRefused: Bool
  ) async throws {
    let things = try refused(body, [.init(200, key: key, contains: words, means: .client)])
    let error = await failure { try await things.removeOne(Thing(id: 1)) } as? HTTPError
    #expect((error?.code == .client) == isRefused)
  }

  @Test func `GraphQL's errors are errors, with their words`() async throws {
    let body = #"""
      {"data": {"car": null}, "errors": [{"message": "No.", "extensions": {"field": "year"}}]}
      """#
    let things = try refused(body, [.init(200, key: "errors", means: .client)]) {
      $0.envelope = .key("data.car")
    }
    let error = await failure { try await things.updateOne(Thing(id: 1)) } as? HTTPError
    #expect(error?.code == .client && error?.message == "No.")
    #expect(error?.fields == ["year": ["No."]])
  }

  @Test func `A meaning holds for any status, as that of a status does`() async throws {
    let absent = try refused("{}", [.init(200, means: .notFound)])
    #expect(try await absent.findOne(["id": 1]).value == nil)
    #expect(try await absent.updateOne(Thing(id: 1)).value == nil)
    let done = try Scripted { _ in (409, [:], #"{"why": "locked"}"#) }.things {
      $0.routes.removeOne.done = [409]
      $0.refusals.rules = [.init(409, contains: "locked", means: .client)]
    }
    let error = await failure { try await done.removeOne(Thing(id: 1)) } as? HTTPError
    #expect(error?.code == .client)
    let theirs = try refused(
      #"{"stale": true, "current": {"id": 1, "name": "theirs"}}"#,
      [
        .init(200, key: "stale", means: .conflict)
      ])
    let conflict = await failure { try await theirs.updateOne(Thing(id: 1)) } as? HTTPError
    #expect(conflict?.failureKind == .conflict)
    #expect(conflict?.current as? Thing == Thing(id: 1, name: "theirs"))
  }

  @Test func `A credential that is refused by a rule is renewed like one that a 401 refuses`()
    async throws
  {
    let service = Scripted { request in
      request.headers["Authorization"] == "new"
        ? (200, [:], #"{"id": 1}"#) : (200, [:], #"{"errors": [{"code": "UNAUTHENTICATED"}]}"#)
    }
    let things = try service.things {
      $0.refusals.rules = [
        .init(200, key: "errors", contains: "UNAUTHENTICATED", means: .unauthorized)
      ]
      $0.authorization = { $0 == .refusal ? "new" : "old" }
    }
    #expect(try await things.updateOne(Thing(id: 1)).value == Thing(id: 1))
    #expect(service.lines.count == 2)
  }

  @Test func `Of several models that are answered one by one each is refused for itself`()
    async throws
  {
    let bodies = [
      #"{"responses": [{"status": 200, "body": {"id": 1}}, {"status": 200, "body": \#(Self.no)}]}"#,
      #"[{"status": 200, "body": {"id": 1}}, {"status": 200, "body": \#(Self.no)}]"#,
    ]
    for (index, body) in bodies.enumerated() {
      let things = try refused(body) {
        if index == 0 {
          $0.format.routes = .restOneByOne
          $0.batch = .init("batch", size: 10)
        } else {
          $0.format.routes.store = .init("POST")
          $0.items = .init()
        }
      }
      let error = await failure { try await things.store(Thing.list(2)) } as? any PartialError
      #expect(error?.done == ["1"] && error?.failed == ["2"])
      #expect((error?.underlying as? HTTPError)?.message == "quota exceeded")
      let whole = try refused {
        if index == 0 {
          $0.format.routes = .restOneByOne
          $0.batch = .init("batch", size: 10)
        } else {
          $0.format.routes.store = .init("POST")
          $0.items = .init()
        }
      }
      let refusal = await failure { try await whole.store(Thing.list(2)) } as? HTTPError
      #expect(refusal?.code == .client && refusal?.message == "quota exceeded")
    }
  }

  @Test(arguments: [HTTPError.Code.client, .server, .unauthorized])
  func `An entry that is refused inside a 200 is not delivered`(
    meaning: HTTPError.Code
  )
    async throws
  {
    let service = Scripted { request in
      request.method == "PATCH" ? (200, [:], Self.no) : (200, [:], #"{"id": 1, "name": "old"}"#)
    }
    let things = try service.things {
      $0.refusals.rules = [.init(200, key: "success", contains: "false", means: meaning)]
    }
    let local = InMemoryRepository<Thing>()
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Thing.self).repository(remote: things).repository(local: local)
      .strategy(.offlineFirst)
    _ = try await evocation.findOne(Thing.self, id: 1)
    #expect(await evocation.updateOne(Thing(id: 1, name: "new")).isPending)
    let result = await evocation.outbox.flush()
    #expect(result.sent == 0 && result.left + result.parked == 1)
    #expect(result.parked == (meaning == .client ? 1 : 0))
    #expect(try await local.find(Criteria()).value == [Thing(id: 1, name: "new")])
    guard meaning == .unauthorized else { return }
    guard case .authorization? = try await evocation.outbox.status().pause else {
      Issue.record("The service is asked on.")
      return
    }
  }
}
