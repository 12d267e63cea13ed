import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing

#if os(macOS) || os(Linux)
  /// What the outbox relies on: conflicts, what counts as done, and keys.
  @Suite(.patient) struct HTTPConflictTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private func body(_ car: Car) throws -> String {
      String(decoding: try JSONEncoder().encode(car), as: UTF8.self)
    }

    /// An app whose writes go by the outbox, and leave when it says so.
    private func app(_ remote: HTTPRepository<Car>) -> (Evocation, InMemoryRepository<Car>) {
      let local = InMemoryRepository<Car>()
      let retry = Strategy.Retry(
        attempts: .max, delay: .milliseconds(1), maximumDelay: .milliseconds(5))
      let evocation = Evocation(
        configuration: .init(outbox: .init(retry: retry, sendsAutomatically: false)))
      evocation.register(for: Car.self)
        .repository(remote: remote).repository(local: local).strategy(.offlineFirst)
      return (evocation, local)
    }

    @Test(arguments: [409, 412])
    func `A conflict has the service's model, and that counts as reading it`(
      status: Int
    )
      async throws
    {
      let (cars, others) = (service.cars(), service.cars())
      _ = try await cars.findOne(["id": 1])
      let theirs = try #require(await others.updateOne(car(1, "theirs")).value)
      try await service.control(.status(status, times: 1, body: try body(theirs)))
      let error = await failure { try await cars.updateOne(car(1, "ours")) }
      let conflict = try #require(error as? any ConflictError)
      #expect(conflict.failureKind == .conflict)
      #expect(conflict.current as? Car == theirs)
      #expect(try await cars.updateOne(car(1, "ours")).value?.name == "ours")
    }

    @Test(arguments: [409, 412])
    func `A conflict whose body is another model, or none, has no model`(status: Int) async throws {
      let cars = service.cars()
      for body in [try body(car(2)), "{\"error\": \"no\"}", ""] {
        try await service.control(.status(status, times: 1, body: body))
        let error = await failure { try await cars.storeOrUpdate([car(1)]) } as? HTTPError
        #expect(error?.failureKind == .conflict)
        #expect(error?.current == nil)
      }
    }

    @Test(arguments: [404, 410])
    func `A removal of what is gone is done, and an update of it changes nothing`(
      status: Int
    )
      async throws
    {
      let cars = service.cars()
      try await service.control(.status(status))
      #expect(try await cars.removeOne(car(1)).value == nil)
      #expect(try await cars.updateOne(car(1)).value == nil)
    }

    @Test func `A service is called by its scheme, host and port`() throws {
      func name(_ address: String) throws -> String {
        let url = try #require(URL(string: address))
        return HTTPRepository<Car>(HTTPService(url), "cars").service
      }
      #expect(try name("https://Example.com/api/v1") == "https://example.com:443")
      #expect(try name("HTTP://example.com") == "http://example.com:80")
      #expect(try name("http://127.0.0.1:8080/") == "http://127.0.0.1:8080")
    }

    @Test func `The outbox sends a write whose answer was lost again with the same key`()
      async throws
    {
      let (evocation, local) = app(service.cars())
      try await service.control(.hangUp(.beforeAnswer, times: 1).only(method: "POST"))
      #expect(await evocation.storeOne(car(500)).isPending)
      while await evocation.outbox.flush().left > 0, !Task.isCancelled {}
      let writes = try await service.requests().filter { $0.method == "POST" }
      #expect(writes.map(\.status) == [201, 201])
      let keys = writes.map { $0.headers["idempotency-key"] }
      #expect(keys.count == 2 && keys.first != .some(nil) && Set(keys).count == 1)
      #expect(try await local.find(Criteria()).value == [car(500)])
    }

    @Test func `A version that somebody else has changed is a conflict, which the app resolves`()
      async throws
    {
      let (evocation, local) = app(service.cars())
      let asked = Record<Outbox.Conflict<Car>>()
      try evocation.proxy(for: Car.self).conflicts { conflict in
        asked.append(conflict)
        return .mine
      }
      let base = await evocation.findOne(model: Car.self, criteria: ["id": 1]).data
      let theirs = try await service.cars().updateOne(car(1, "theirs")).value
      #expect(await evocation.updateOne(car(1, "mine")).isPending)
      while await evocation.outbox.flush().left > 0, !Task.isCancelled {}
      #expect(
        asked.elements == [
          Outbox.Conflict(kind: .update, base: base, mine: car(1, "mine"), theirs: theirs)
        ])
      #expect(try await service.cars().findOne(["id": 1]).value?.name == "mine")
      #expect(try await local.find(Criteria()).value.map(\.name) == ["mine"])
    }

    @Test func `What the service has not, or has already, is a conflict too`() async throws {
      let (evocation, local) = app(service.cars())
      _ = try await local.store([car(999)])
      let asked = Record<Car?>()
      try evocation.proxy(for: Car.self).conflicts { conflict in
        asked.append(conflict.theirs)
        return .theirs
      }
      let first = try #require(try await service.cars().findOne(["id": 1]).value)
      #expect(await evocation.updateOne(car(999, "mine")).isPending)
      #expect(await evocation.storeOne(car(1, "mine")).isPending)
      while await evocation.outbox.flush().left > 0, !Task.isCancelled {}
      #expect(Set(asked.elements) == [nil, first])
      #expect(try await local.find(Criteria()).value == [first])
    }

    @Test func `A refused credential pauses the outbox, and is tried again when it resumes`()
      async throws
    {
      let (evocation, _) = app(service.cars())
      try await service.control(.status(401, times: 1))
      _ = await evocation.storeOne(car(500))
      #expect(await evocation.outbox.flush().left == 1)
      guard case .authorization? = try await evocation.outbox.status().pause else {
        Issue.record("It is not paused.")
        return
      }
      evocation.outbox.resume()
      var statuses = evocation.outbox.observe().makeAsyncIterator()
      while let status = await statuses.next(), status.pause != nil {}
      while await evocation.outbox.flush().left > 0, !Task.isCancelled {}
    }
  }
#endif
