import Fixtures
import Foundation
import TestTraits
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(macOS) || os(Linux)
  @Suite(.patient) struct ServiceTests {
    @Test func `The service serves the bundled cars`() async throws {
      let service = try await Service.start()
      let cars = try await JSONDecoder().decode([Car].self, from: get(service, "cars").data)
      #expect(try cars == Car.all())
      #expect(cars.count == 406)
    }

    @Test func `The service serves the bundled airports, from a file of CSV`() async throws {
      let service = try await Service.start(data: [Airport.file])
      let body = try await get(service, "airports").data
      let airports = try JSONDecoder().decode([Airport].self, from: body)
      #expect(airports.count == 3_376)
      #expect(airports.first { $0.id == "SFO" }?.city == "San Francisco")
      #expect(airports.count { $0.city == nil } == 12)
    }

    @Test func `Switches change the requests that follow and are seen on the wire`() async throws {
      let service = try await Service.start()
      try await service.control(
        .status(503, times: 1, headers: ["Retry-After": "1"]),
        .status(500).only(method: "GET", path: "/cars/2"))
      #expect(try await get(service, "cars/1").status == 503)
      #expect(try await get(service, "cars/1").status == 200)
      #expect(try await get(service, "cars/2").status == 500)
      try await service.release()
      #expect(try await get(service, "cars/2").status == 200)
      let requests = try await service.requests()
      #expect(requests.map(\.status) == [503, 200, 500, 200])
      #expect(requests.map(\.path) == ["/cars/1", "/cars/1", "/cars/2", "/cars/2"])
      #expect(requests.first?.headers["host"] == "127.0.0.1:\(service.port)")
      try await service.reset()
      #expect(try await service.requests().isEmpty)
    }

    @Test func `A service starts again at the port where one was stopped`() async throws {
      // Somebody else may be given the port meanwhile, but hardly five times.
      for _ in 0..<5 {
        let first = try await Service.start()
        _ = try await get(first, "cars/1")
        first.stop()
        first.stop()
        guard try await refuses(first), let second = try? await Service.start(port: first.port)
        else { continue }
        #expect(second.url == first.url)
        #expect(try await get(second, "cars/1").status == 200)
        return
      }
      Issue.record("No service started again at the port where one was stopped.")
    }

    /// Whether nobody listens where a service was; somebody else may be given its port.
    private func refuses(_ service: Service) async throws -> Bool {
      do {
        try await get(service, "cars/1")
        return false
      } catch is URLError {
        return true
      }
    }

    @Test func `A service that comes after another shows nothing of it`() async throws {
      // Somebody else may be given the port of one that was stopped, but hardly each time.
      var refusals = 0
      for _ in 0..<5 {
        let service = try await Service.start(arguments: ["--bearer", "secret"])
        #expect(try await service.requests().isEmpty)
        #expect(try await get(service, "cars/1").status == 401)
        try await service.control(.status(503))
        service.stop()
        let next = try await Service.start()
        #expect(try await next.requests().isEmpty)
        #expect(try await get(next, "cars/1").status == 200)
        if try await refuses(service) { refusals += 1 }
      }
      #expect(refusals > 0)
    }

    @Test func `Many services run side by side and end one by one`() async throws {
      let services = try await withThrowingTaskGroup(of: Service.self) { group in
        for _ in 0..<4 { group.addTask { try await Service.start() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for service in services { service.stop() }
      #expect(Set(services.map(\.port)).count == 4)
    }

    @Test func `A service that cannot start says why`() async throws {
      let error = await #expect(throws: ServiceError.self) {
        try await Service.start(arguments: ["--colour", "red"])
      }
      #expect(
        error?.description
          == "The fixture service did not start: service.py: error: unrecognized arguments: "
          + "--colour red")
      let service = try await Service.start()
      let taken = await #expect(throws: ServiceError.self) {
        try await Service.start(port: service.port)
      }
      #expect(taken?.description.contains("port \(service.port) cannot be had") == true)
    }

    @Test func `A cancelled start leaves no service behind`() async throws {
      let start = Task { try await Service.start() }
      start.cancel()
      await #expect(throws: CancellationError.self) { try await start.value }
    }

    /// A clock whose sleep is over when its task is cancelled, as one that has run out just then.
    private struct LateClock: Clock {
      var now: ContinuousClock.Instant { .now }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try? await ContinuousClock().sleep(until: deadline)
      }
    }

    /// A clock on which all time has gone by already.
    private struct RushingClock: Clock {
      var now: ContinuousClock.Instant { .now }
      var minimumResolution: Duration { .zero }

      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }

    @Test func `A service that has started stays, though the patience with it runs out just then`()
      async throws
    {
      let service = try await Service.start(clock: LateClock())
      #expect(try await get(service, "cars/1").status == 200)
    }

    @Test func `A service that takes too long to start is ended, and said to be`() async throws {
      let pipe = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
      try #require(mkfifo(pipe.path, 0o600) == 0)
      defer { try? FileManager.default.removeItem(at: pipe) }
      // It reads a pipe that nobody writes.
      let error = await #expect(throws: ServiceError.self) {
        try await Service.start(data: [pipe], clock: RushingClock())
      }
      #expect(
        error?.description
          == "The fixture service did not start: it said nothing for a minute")
    }

    @Test func `Requests are waited for until they have come`() async throws {
      let service = try await Service.start()
      async let requests = service.requests(atLeast: 2)
      for id in [1, 2] { try await get(service, "cars/\(id)") }
      #expect(try await requests.map(\.path) == ["/cars/1", "/cars/2"])
    }

    @discardableResult
    private func get(
      _ service: Service, _ path: String
    ) async throws -> (status: Int?, data: Data) {
      var request = URLRequest(url: service.url.appending(path: path))
      request.cachePolicy = .reloadIgnoringLocalCacheData
      let (data, response) = try await URLSession.shared.data(for: request)
      return ((response as? HTTPURLResponse)?.statusCode, data)
    }
  }
#endif
