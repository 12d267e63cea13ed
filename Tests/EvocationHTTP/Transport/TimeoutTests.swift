import Evocation
import EvocationTesting
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

/// Timeouts and waits of any length.
@Suite struct TimeoutTests {
  private static let long: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.max) * 18, .tooLongToSleep,
  ]
  private static let short: [Duration] = [
    .zero, .seconds(-1), .seconds(Int64.min), .seconds(Int64.min) * 18,
  ]

  @Test func `The system's own timeout stands behind any timeout, within a week`() {
    for timeout in Self.long + Self.short {
      #expect((60...604_800).contains(URLSessionTransport.pause(timeout)))
    }
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "99999999999999999999", "nan"])
  func `Any Retry-After is a wait, or none`(text: String) {
    let wait = RetryAfter.duration(of: ["retry-after": text])
    #expect(wait.map { $0 >= .zero } ?? true)
  }

  #if os(macOS) || os(Linux)
    @Test(.patient) func `A timeout that is too long never comes`() async throws {
      let service = try await Service.start()
      defer { service.stop() }
      for timeout in Self.long {
        var configuration = Setup()
        configuration.timeout = timeout
        let cars = HTTPRepository<Car>(at: service.url, "cars", configuration)
        #expect(try await cars.find(Criteria().limit(1)).value.count == 1)
      }
    }

    @Test(.patient) func `A timeout that is over ends a silent request at once`()
      async throws
    {
      let service = try await Service.start()
      defer { service.stop() }
      try await service.control(.silent())
      for timeout in Self.short {
        var configuration = Setup()
        configuration.timeout = timeout
        let cars = HTTPRepository<Car>(at: service.url, "cars", configuration)
        let error = await #expect(throws: HTTPError.self) { try await cars.find(Criteria()) }
        #expect(error?.code == .timedOut)
      }
    }

    @Test(.patient) func `A timeout is over when the clock that was given says so`()
      async throws
    {
      let service = try await Service.start()
      defer { service.stop() }
      let clock = ManualClock()
      var configuration = Setup()
      configuration.clock = clock
      configuration.timeout = .seconds(5)
      let cars = HTTPRepository<Car>(at: service.url, "cars", configuration)
      try await service.control(.silent())
      let finds = (0..<3).map { _ in Task { try await cars.find(Criteria()) } }
      _ = try await service.requests(atLeast: 3)
      clock.advance(by: .seconds(5))
      for find in finds {
        let error = await #expect(throws: HTTPError.self) { try await find.value }
        #expect(error?.description.contains("5.0 s") == true)
      }
      try await service.reset()
      #expect(try await cars.find(Criteria().limit(1)).value.count == 1)
    }
  #endif
}
