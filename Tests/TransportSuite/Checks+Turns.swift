#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import EvocationTesting
  import Fixtures

  extension TransportSuite {
    static var turnChecks: [Check] {
      [
        Check("A request that waits for its turn does not use up its timeout") { trial in
          try await trial.service.control(.silent())
          let clock = ManualClock()
          var configuration = trial.configuration
          configuration.clock = clock
          configuration.limits.requestsAtOnce = 1
          configuration.timeout = .seconds(10)
          let cars = HTTPRepository<Car>(at: trial.service.url, "cars", configuration)
          let first = Task { try await cars.findOne(["id": 1]).value?.id }
          _ = try await trial.service.requests(atLeast: 1)
          let second = Task { try await cars.findOne(["id": 2]).value?.id }
          _ = try await trial.service.requests()
          // The first one's time is over, and the second one's begins.
          clock.advance(by: .seconds(10))
          _ = try await trial.service.requests(atLeast: 2)
          try await trial.service.release()
          let late = await first.result.map { $0 ?? 0 }
          if case .success = late { trial.add("the first was answered") }
          trial.require("the second", try await second.value, 2)
        },
        Check("As many requests are under way at once as the limits allow") { trial in
          for limit in [1, 2, 12] {
            try await trial.service.reset()
            try await trial.service.control(.silent())
            let cars = trial.cars { $0.limits.requestsAtOnce = limit }
            async let failures = together(24, cars)
            _ = try await trial.service.requests(atLeast: limit)
            try await trial.service.release()
            trial.require("the failures", await failures, [])
            trial.require("the requests at once", try await trial.service.load().atOnce, limit)
          }
        },
        Check("Connections are kept") { trial in
          let cars = trial.cars()
          for id in 1...20 { _ = try await cars.findOne(["id": id]) }
          trial.require("the connections", try await trial.service.load().connections, 1)
        },
      ]
    }

    private static func together(_ count: Int, _ cars: HTTPRepository<Car>) async -> [String] {
      await withTaskGroup(of: String?.self) { group in
        for id in 1...count {
          group.addTask {
            do {
              let car = try await cars.findOne(["id": id]).value
              return car?.id == id ? nil : "another car than \(id)"
            } catch {
              return "\(error)"
            }
          }
        }
        return await group.reduce(into: []) { all, failure in
          if let failure { all.append(failure) }
        }
      }
    }
  }
#endif
