import Evocation
import EvocationHTTP
import EvocationLive
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// Who a stream belongs to, when its user, its credential or its service changes.
  @Suite(.patient) struct LiveAccountTests {
    private struct Trip: Codable, Identifiable, Hashable, Sendable {
      var id: Int
    }

    private let events = HTTPFormat.live(.events(path: "events", replays: true))
    private let token = Lock<String?>("A")
    private let things = InMemoryRepository<Thing>()
    private let trips = InMemoryRepository<Trip>()
    private let ledger = InMemoryFetchLedger()
    private let evocation: Evocation
    /// The model that the server has, which is the last one that it sent.
    private let present = Lock<Int?>(nil)

    init() {
      evocation = Evocation(configuration: .init(ledger: ledger))
      evocation.live.start()
    }

    /// A server on a port of loopback, which opens streams, and otherwise answers with what it has.
    private func server() throws -> RawServer {
      try RawServer { [present] line in
        guard line.isStream else {
          let body = present.withLock { $0.map { #"[{"id": \#($0)}]"# } ?? "[]" }
          let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
          line.write(
            head + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
          return
        }
        line.begin()
        line.waitForEnd()
      }
    }

    private func service(_ url: URL) -> HTTPService {
      HTTPService(url, configuration: configuration)
    }

    private var configuration: HTTPService.Configuration {
      var configuration = HTTPService.Configuration()
      configuration.authorization = { [token] _ in token.withLock { $0 } }
      return configuration
    }

    private func register(_ service: HTTPService) throws {
      try evocation.register(
        Thing.self, remote: HTTPRepository(service, "things", format: events), local: things,
        strategy: .offlineFirst)
      try evocation.register(
        Trip.self, remote: HTTPRepository(service, "trips", format: events), local: trips,
        strategy: .offlineFirst)
    }

    /// Observes both models, and waits until both follow the one stream.
    private func observe(_ server: RawServer) async throws -> [Evocation.Observation] {
      let observations = [
        evocation.observe(model: Thing.self) { _ in },
        evocation.observe(model: Trip.self) { _ in },
      ]
      try await send(1, to: server.stream(0))
      return observations
    }

    /// Sends one of each over a stream until both are saved, each with its mark.
    private func send(_ id: Int, to line: RawServer.Line) async throws {
      present.withLock { $0 = id }
      var looks = 0
      try await eventually("thing and trip \(id)") {
        // A model that is not connected yet gets nothing, so it is sent again.
        for path in looks.isMultiple(of: 500) ? ["things", "trips"] : [] { line.send(id, path) }
        looks += 1
        let (thing, trip) = (
          try await things.find(["id": id]).value,
          try await trips.find(["id": id]).value
        )
        let marks = try await marks(in: ledger)
        return !thing.isEmpty && !trip.isEmpty && marks == ["\(id)", "\(id)"]
      }
    }

    /// How far the streams of a ledger's models were saved.
    private func marks(in ledger: some FetchLedger) async throws -> [String] {
      try await ledger.records(prefix: "").filter { tag, _ in tag.hasSuffix("?live") }
        .compactMap { $1.mark }
    }

    @Test func `After a sign-out the stream is closed, and the next user's is their own`()
      async throws
    {
      let server = try server()
      try register(service(server.url))
      let observations = try await observe(server)
      try await evocation.signOut(.discard)
      await (try server.stream(0)).end
      #expect(try await things.find(Criteria()).value.isEmpty)
      // The next user has nothing yet.
      present.withLock { $0 = nil }
      // The app deletes the credential after the sign-out, and the next user signs in.
      token.withLock { $0 = "B" }
      let second = try await server.stream(1)
      #expect(second.field("Authorization") == "B")
      #expect(second.field("Last-Event-ID") == nil)
      try await send(2, to: second)
      #expect(server.streams.count == 2)
      #expect(try await things.find(Criteria()).value.map(\.id) == [2])
      withExtendedLifetime(observations) {}
    }

    @Test(arguments: [false, true])
    func `A credential that is deleted before the sign-out is used by no stream after it`(
      throws isThrown: Bool
    ) async throws {
      struct SignedOut: Error {}
      let server = try server()
      var configuration = configuration
      configuration.authorization = { [token] _ in
        let known = token.withLock { $0 }
        if known == nil, isThrown { throw SignedOut() }
        return known
      }
      try register(HTTPService(server.url, configuration: configuration))
      let observations = try await observe(server)
      token.withLock { $0 = nil }
      try await evocation.signOut(.discard)
      await (try server.stream(0)).end
      token.withLock { $0 = "B" }
      _ = try await evocation.find(Thing.self)
      let second = try await server.stream(1)
      #expect(second.field("Authorization") == "B")
      #expect(second.field("Last-Event-ID") == nil)
      try await send(2, to: second)
      #expect(server.streams.count == 2)
      withExtendedLifetime(observations) {}
    }

    @Test func `The same credential opens a stream again once the app has sent a request with it`()
      async throws
    {
      let server = try server()
      let (clock, looks) = (ManualClock(), Lock(0))
      var configuration = configuration
      configuration.clock = clock
      configuration.authorization = { _ in
        looks.withLock { $0 += 1 }
        return "A"
      }
      try register(HTTPService(server.url, configuration: configuration))
      let observations = try await observe(server)
      try await evocation.signOut(.discard)
      await (try server.stream(0)).end
      let before = looks.withLock { $0 }
      // Whoever looks again has found that the stream may not be opened yet.
      try await eventually("three looks for another credential") {
        clock.advance(by: .seconds(1))
        return looks.withLock { $0 } > before + 2
      }
      #expect(server.streams.count == 1)
      _ = await evocation.find(model: Thing.self, rule: .remoteOnly)
      try await send(2, to: server.stream(1))
      withExtendedLifetime(observations) {}
    }

    @Test
    func `A stream is opened again when another credential is first sent, for all its models`()
      async throws
    {
      let server = try server()
      try register(service(server.url))
      let observations = try await observe(server)
      token.withLock { $0 = "A, renewed" }
      _ = await evocation.find(model: Thing.self, rule: .remoteOnly)
      await (try server.stream(0)).end
      let second = try await server.stream(1)
      #expect(second.field("Authorization") == "A, renewed")
      #expect(second.field("Last-Event-ID") == "1")
      try await send(2, to: second)
      #expect(server.streams.count == 2)
      withExtendedLifetime(observations) {}
    }

    @Test func `A stream stays where each request has a credential of its own`() async throws {
      let server = try server()
      var configuration = configuration
      let count = Lock(0)
      configuration.authorization = { _ in
        count.withLock { count in
          count += 1
          return "signed \(count)"
        }
      }
      try register(HTTPService(server.url, configuration: configuration))
      let observations = try await observe(server)
      for _ in 1...5 { _ = await evocation.find(model: Thing.self, rule: .remoteOnly) }
      try await send(2, to: server.stream(0))
      #expect(server.streams.count == 1)
      withExtendedLifetime(observations) {}
    }

    @Test func `After another registration its service alone is followed, also by another file`()
      async throws
    {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "things.sqlite").path
      let (first, second) = (try server(), try server())
      var observation: Evocation.Observation?
      for (number, server) in [first, second].enumerated() {
        let database = try SQLiteDatabase(path: path)
        try evocation.register(
          Thing.self,
          remote: HTTPRepository(service(server.url), "things", format: events),
          local: SQLiteRepository<Thing>(database), strategy: .offlineFirst)
        if number == 0 { observation = evocation.observe(model: Thing.self) { _ in } }
        let line = try await server.stream(0)
        #expect(line.field("Last-Event-ID") == nil)
        present.withLock { $0 = number }
        var looks = 0
        try await eventually("thing \(number)") {
          if looks.isMultiple(of: 500) { line.send(number, "things", mark: 5) }
          looks += 1
          let found = await evocation.find(model: Thing.self, rule: .localOnly).data ?? []
          let marks = try await marks(in: SQLiteFetchLedger(database))
          return found.contains { $0.id == number } && marks == ["5"]
        }
      }
      await (try first.stream(0)).end
      #expect((first.streams.count, second.streams.count) == (1, 1))
      // A later launch of the app goes on from the mark of the service that it follows.
      observation?.cancel()
      for server in [second, first] {
        let next = Evocation()
        next.live.start()
        try next.register(
          Thing.self,
          remote: HTTPRepository(service(server.url), "things", format: events),
          local: SQLiteRepository<Thing>(try SQLiteDatabase(path: path)), strategy: .offlineFirst)
        let watched = next.observe(model: Thing.self) { _ in }
        let line = try await server.stream(1)
        #expect(line.field("Last-Event-ID") == (server === second ? "5" : nil))
        watched.cancel()
      }
    }
  }

  extension RawServer {
    /// The connections that are streams, once nothing comes before their heads any more.
    fileprivate var streams: [Line] { lines.elements.filter { $0.isStream && $0.hasBegun } }

    fileprivate func stream(_ number: Int) async throws -> Line {
      try await eventually("stream \(number)") { streams.count > number }
      return streams[number]
    }
  }

  extension RawServer.Line {
    fileprivate var isStream: Bool { head.hasPrefix("GET /events") }

    /// Sends a model.
    fileprivate func send(_ id: Int, _ path: String, mark: Int? = nil) {
      let data = #"{"path": "\#(path)", "model": {"id": \#(id)}}"#
      write("id: \(mark ?? id)\nevent: stored\ndata: \(data)\n\n")
    }

    /// A field of the request.
    fileprivate func field(_ name: String) -> String? {
      head.split(separator: "\r\n").compactMap { line -> String? in
        let parts = line.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
        return String(parts[1])
      }.first
    }
  }
#endif
