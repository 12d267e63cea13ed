import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  /// Limits before a real service.
  @Suite(.patient) struct HTTPLimitsTests {
    private let service: Service
    private let clock = ManualClock()

    init() async throws {
      service = try await Service.start()
    }

    private func configuration(_ change: (inout HTTPLimits) -> Void) -> Setup {
      var configuration = Setup()
      configuration.clock = clock
      configuration.timeout = .seconds(100_000)
      change(&configuration.limits)
      return configuration
    }

    private func cars(_ configuration: Setup) -> HTTPRepository<Car> {
      HTTPRepository(at: service.url, "cars", configuration)
    }

    private func finds(
      _ count: Int, _ repositories: HTTPRepository<Car>...
    ) -> [Task<Int?, any Error>] {
      (0..<count).map { index in
        let cars = repositories[index % repositories.count]
        return Task { try await cars.findOne(["id": index + 1]).value?.id }
      }
    }

    @Test func `Two models of a service share its limit`() async throws {
      try await service.control(.silent())
      let configuration = configuration { $0.requestsAtOnce = 2 }
      let finds = finds(12, cars(configuration), cars(configuration))
      _ = try await service.requests(atLeast: 2)
      try await service.release()
      for find in finds { _ = try await find.value }
      #expect(try await service.load().atOnce == 2)
    }

    @Test func `Two services behind one host have limits of their own`() async throws {
      try await service.control(.silent())
      let one = configuration { $0.requestsAtOnce = 1 }
      let two = configuration { $0.requestsAtOnce = 2 }
      let finds = finds(12, cars(one), cars(two))
      _ = try await service.requests(atLeast: 3)
      try await service.release()
      for find in finds { _ = try await find.value }
      #expect(try await service.load().atOnce == 3)
    }

    @Test func `No more requests are sent in a time than the rate says`() async throws {
      let cars = cars(configuration { $0.rate = .init(requests: 3, per: .seconds(10)) })
      let finds = finds(8, cars)
      var seconds = 0.0
      #expect(try await service.requests(atLeast: 3).count == 3)
      while try await service.requests().count < 8 {
        try Task.checkCancellation()
        clock.advance(by: .milliseconds(500))
        seconds += 0.5
        #expect(Double(try await service.requests().count) <= 3 + seconds * 0.3)
      }
      for find in finds { _ = try await find.value }
    }

    @Test func `A service that fails is left alone, tried once, and trusted again`() async throws {
      let cars = cars(configuration { $0.breaker = .init(failures: 3, pause: .seconds(30)) })
      try await service.control(.status(500))
      for _ in 1...3 {
        let error = await failure { try await cars.find(Criteria()) } as? HTTPError
        #expect(error?.code == .server)
      }
      try await refused(cars, .suspended, .seconds(30), after: 3)
      clock.advance(by: .seconds(29))
      try await refused(cars, .suspended, .seconds(1), after: 3)
      clock.advance(by: .seconds(1))
      _ = await failure { try await cars.find(Criteria()) }
      try await refused(cars, .suspended, .seconds(30), after: 4)
      clock.advance(by: .seconds(30))
      try await service.release()
      try await service.control(.silent())
      let finds = finds(5, cars)
      #expect(try await service.requests(atLeast: 5).count == 5)
      try await service.release()
      for find in finds { _ = try await find.value }
      #expect(try await service.requests().count == 9)
    }

    private func refused(
      _ cars: HTTPRepository<Car>, _ code: HTTPError.Code, _ wait: Duration, after count: Int
    ) async throws {
      let error = await failure { try await cars.storeOne(car(500)) } as? HTTPError
      #expect(error?.code == code)
      #expect(error?.retryAfter == wait)
      #expect(error?.failureKind == .transient)
      #expect(error?.url != nil)
      #expect(try await service.requests().count == count)
    }

    @Test func `A Retry-After, seconds or a count that is used up put off what follows`()
      async throws
    {
      let answers: [(HTTPLimits.Backoff, Service.Switch)] = [
        (.retryAfter, .status(503, times: 1, headers: ["Retry-After": "7"])),
        (.retryAfter, .status(429, times: 1, headers: ["Retry-After": "7"])),
        (.seconds("Backoff"), .lines("backoff: 7", times: 1)),
        (.remaining("X-Left", reset: "X-Reset"), .lines("x-left: 0", "x-reset: 7", times: 1)),
      ]
      for (backoff, answer) in answers {
        try await service.reset()
        try await service.control(answer)
        let cars = cars(configuration { $0.backoff = [backoff] })
        _ = try? await cars.find(Criteria().limit(1))
        try await refused(cars, .postponed, .seconds(7), after: 1)
        clock.advance(by: .seconds(7))
        _ = try await cars.find(Criteria().limit(1))
      }
    }

    @Test func `Fields that are no reason to wait put nothing off`() async throws {
      let cars = cars(
        configuration {
          $0.backoff = [.retryAfter, .seconds("Backoff"), .remaining("X-Left", reset: "X-Reset")]
        })
      for lines: Service.Switch in [
        .lines("Retry-After: 7"), .lines("Backoff: soon"), .lines("X-Left: 1", "X-Reset: 7"),
        .lines("X-Left: 0"), .lines("X-Reset: 7"), .lines("X-Left: none", "X-Reset: never"),
      ] {
        try await service.control(lines)
        for _ in 1...2 { _ = try await cars.find(Criteria().limit(1)) }
      }
      #expect(try await service.requests().count == 12)
    }

    @Test func `A time at which there is more is told by the service's clock`() async throws {
      // 100 seconds after the service's date, which is years before this machine's.
      let headers = [
        "Date": "Wed, 21 Oct 2015 07:28:00 GMT", "X-Left": "0", "X-Reset": "1445412580",
      ]
      try await service.control(.status(200, times: 1, headers: headers, body: "[]"))
      let cars = cars(configuration { $0.backoff = [.remaining("X-Left", reset: "X-Reset")] })
      _ = try await cars.find(Criteria().limit(1))
      try await refused(cars, .postponed, .seconds(100), after: 1)
    }

    @Test func `No service is left alone for longer than the limits say`() async throws {
      let cars = cars(
        configuration {
          $0.backoff = [.retryAfter]
          $0.longestBackoff = .seconds(60)
        })
      try await service.control(.status(503, times: 1, headers: ["Retry-After": "3600"]))
      let first = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(first?.retryAfter == .seconds(3600))
      try await refused(cars, .postponed, .seconds(60), after: 1)
      let never = self.cars(
        configuration {
          $0.backoff = [.retryAfter]
          $0.longestBackoff = .zero
        })
      try await service.control(.status(503, times: 1, headers: ["Retry-After": "3600"]))
      _ = await failure { try await never.find(Criteria()) }
      _ = try await never.find(Criteria().limit(1))
    }
  }
#endif
