import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestTraits
import Testing
import TransportSuite

/// A store that the service refuses, because of the id or because of anything else.
@Suite(.patient) struct HTTPWriteRefusalsTests {
  private static let taken = #"{"message": "email is taken", "errors": {"name": ["taken"]}}"#

  /// A service that has some models, and refuses every other one for another reason.
  private static func service(
    having ids: Set<Int> = [], status: Int = 409, body: String = taken
  ) -> Scripted {
    Scripted { request in
      guard request.method == "GET" else { return (status, [:], body) }
      if let id = Int(request.url.lastPathComponent) {
        return ids.contains(id) ? (200, [:], #"{"id": \#(id)}"#) : (404, [:], "")
      }
      let asked = request.item("id[in]")?.split(separator: ",").compactMap { Int($0) } ?? []
      return (200, [:], Thing.json(asked.filter(ids.contains).map { Thing(id: $0) }))
    }
  }

  private func check(_ error: (any Error)?, status: Int = 409) {
    let error = error as? HTTPError
    #expect(error?.code == .conflict && error?.status == status)
    #expect(error?.failureKind == .conflict)
    #expect(error?.message == "email is taken")
    #expect(error?.fields == ["name": ["taken"]])
  }

  @Test func `A 409 that is not about the id says what the service says`() async throws {
    let service = Self.service()
    let things = try service.things()
    check(await failure { try await things.storeOne(Thing(id: 1)) })
    #expect(service.lines == ["POST /things", "GET /things/1"])
    let bulk = try Self.service().things { $0.format.routes = Setup().format.routes }
    check(await failure { try await bulk.store(Thing.list(2)) })
    check(await failure { try await bulk.store([Thing(id: 1)]) })
    let upsert = try Self.service().things { $0.routes.storeOrUpdateOne = nil }
    check(await failure { try await upsert.storeOrUpdate([Thing(id: 1)]) })
    let batch = try Scripted { request in
      request.method == "GET"
        ? (404, [:], "")
        : (200, [:], #"{"responses": [\#(part), \#(part)]}"#)
    }.things {
      $0.format.routes = .restOneByOne
      $0.batch = .init("batch", size: 10)
    }
    check(await failure { try await batch.store(Thing.list(2)) })
  }

  private var part: String { #"{"status": 409, "body": \#(Self.taken)}"# }

  @Test func `A model that is there already is named, and only that`() async throws {
    let things = try Self.service(having: [1]).things()
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      try await things.storeOne(Thing(id: 1))
    }
    let bulk = try Self.service(having: [2, 9]).things {
      $0.format.routes = Setup().format.routes
    }
    await #expect(throws: EvocationError.alreadyExists(["2"])) {
      try await bulk.store(Thing.list(3))
    }
    await #expect(throws: EvocationError.alreadyExists(["3"])) {
      try await bulk.store([Thing(id: 3), Thing(id: 4), Thing(id: 3)])
    }
    let told = Scripted { _ in (409, [:], #"{"id": 1, "name": "theirs"}"#) }
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      try await told.things().storeOne(Thing(id: 1))
    }
    #expect(told.lines == ["POST /things"])
  }

  @Test func `A service that cannot be asked what it has is taken at its word`() async throws {
    for status in [409, 500, 403] {
      let things = try Scripted { request in
        request.method == "GET" ? (status, [:], "") : (409, [:], Self.taken)
      }.things()
      check(await failure { try await things.storeOne(Thing(id: 1)) })
      check(await failure { try await things.store([Thing(id: 1)]) })
    }
  }

  @Test func `What a rule takes for an existing model is asked for too`() async throws {
    let rule = HTTPFormat.Refusals.Match(422, contains: "taken", means: .alreadyExists)
    let things = try Self.service(having: [1], status: 422).things { $0.refusals.rules = [rule] }
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      try await things.storeOne(Thing(id: 1))
    }
    check(await failure { try await things.storeOne(Thing(id: 2)) }, status: 422)
  }

  @Test func `An id that the service has yet to assign is not asked for`() async throws {
    let service = Self.service(having: [0])
    let things = try service.things { $0.identifiers = .placeholder { $0 == "0" } }
    check(await failure { try await things.storeOne(Thing(id: 0)) })
    #expect(service.lines == ["POST /things"])
  }

  @Test func `A precondition of a new model is no sign that it exists`() async throws {
    let things = try Self.service(status: 412).things()
    let error = await failure { try await things.storeOne(Thing(id: 1)) } as? HTTPError
    #expect(error?.code == .preconditionFailed && error?.message == "email is taken")
    let creating = Self.service(status: 412)
    await #expect(throws: EvocationError.alreadyExists(["1"])) {
      try await creating.things {
        $0.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
      }.storeOne(Thing(id: 1))
    }
    #expect(creating.lines == ["PUT /things/1"])
  }

  @Test func `An entry is parked with what the service says of it, and not of the question`()
    async throws
  {
    let things = try Scripted { request in
      request.method == "GET" ? (400, [:], "") : (409, [:], Self.taken)
    }.things()
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Thing.self).repository(remote: things)
      .repository(local: InMemoryRepository<Thing>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(Thing(id: 1))
    #expect(await evocation.outbox.flush().parked == 1)
    let entry = try #require(try await evocation.outbox.entries(of: Thing.self).first)
    guard case .parked(.conflict, let reason) = entry.state else {
      Issue.record("It is \(entry.state).")
      return
    }
    #expect(reason.hasPrefix("POST /things was refused with 409"))
  }

  @Test func `JSON:API's 409 about the type is told, and parks an entry with its sentence`()
    async throws
  {
    struct Resource: Codable, Identifiable, Equatable, Sendable { var id: String }
    let service = Scripted { request in
      request.method == "GET"
        ? (404, [:], "") : (409, [:], #"{"errors": [{"detail": "Car is not cars."}]}"#)
    }
    var setup = Setup(.jsonAPI)
    setup.transport = service
    let url = try #require(URL(string: "https://example.com"))
    let things = HTTPRepository<Resource>(at: url, "cars", setup)
    let error = await failure { try await things.storeOne(Resource(id: "1")) } as? HTTPError
    #expect(error?.message == "Car is not cars.")
    let evocation = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Resource.self).repository(remote: things)
      .repository(local: InMemoryRepository<Resource>()).strategy(.offlineFirst)
    _ = await evocation.storeOne(Resource(id: "1"))
    #expect(await evocation.outbox.flush().parked == 1)
    let entry = try #require(try await evocation.outbox.entries(of: Resource.self).first)
    guard case .parked(.permanent, let reason) = entry.state else {
      Issue.record("It is \(entry.state).")
      return
    }
    #expect(reason.hasPrefix("POST /cars was refused with 409"))
  }
}
