#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  extension TransportSuite {
    private static let compressions: [Service.Switch.Compression] = [.gzip, .deflate]

    static var sizeChecks: [Check] {
      [
        Check("A body without an end is too large, and takes little memory") { trial in
          for form: Service.Switch.Endless in [.untilClosed, .chunked] {
            for call in [Call.find, .findOne, .storeOne] {
              try await trial.service.reset()
              try await trial.service.control(.endless(form))
              try await bounded(call, trial)
            }
          }
        },
        Check("A small body that unpacks to a large one takes little memory") { trial in
          for form in compressions {
            try await trial.service.control(.bomb(form, megabytes: 600))
            try await bounded(.find, trial)
          }
        },
        Check("What is told to be larger than allowed is not waited for") { trial in
          let cars = trial.cars { $0.maximumResponseSize = 100 }
          try await trial.service.control(.slow(.body, over: .seconds(3600)))
          let error = await trial.error("find") { try await cars.find(Criteria()) }
          trial.require("the code", error?.code, .tooLarge)
        },
        Check("A compressed body is unpacked") { trial in
          for form in compressions {
            try await trial.service.control(.compressed(form))
            let cars = try await trial.cars().find(Criteria()).value
            trial.require("the cars", cars.count, 406)
          }
        },
        Check("A body in chunks is whole") { trial in
          try await trial.service.control(.chunked())
          trial.require("the cars", try await trial.cars().find(Criteria()).value.count, 406)
          trial.require("the car", try await trial.cars().storeOne(newCar()).value, newCar())
        },
        Check("A large body is sent whole") { trial in
          let cars = (1000..<6000).map { newCar($0, name: String(repeating: "x", count: 200)) }
          trial.require("the cars", try await trial.cars().store(cars).value, cars)
        },
      ]
    }

    private static func bounded(_ call: Call, _ trial: Trial) async throws {
      let cars = trial.cars { $0.maximumResponseSize = 8 << 20 }
      // The system counts the memory of a whole process, and a transport is made in this one. So it is
      // much less than is sent, and the least of some counts, for what other tests take meanwhile.
      let most = 256 << 20
      var least = Int.max
      for _ in 1...5 where least > most {
        let (error, growth) = await alone {
          await memoryGrowth { await trial.error(call.name) { try await call.perform(cars) } }
        }
        trial.require("the code of \(call.name)", error?.code, .tooLarge)
        least = min(least, growth)
      }
      if least > most { trial.add("\(call.name) took \(least >> 20) MiB of memory") }
    }

    private static let last = Lock<Task<Void, Never>?>(nil)

    /// Runs after all that came here before, because a second measurement begins the first one anew.
    private static func alone<Value: Sendable>(
      _ measure: @escaping @Sendable () async -> Value
    ) async -> Value {
      let task = last.withLock { last in
        let task = Task { [last] in
          await last?.value
          return await measure()
        }
        last = Task { _ = await task.value }
        return task
      }
      return await task.value
    }

    /// How much larger the process was during a call than before, where the system tells.
    private static func memoryGrowth<Value: Sendable>(
      _ call: () async -> Value
    ) async -> (Value, Int) {
      // The system then counts the most from what it is now (proc(5), clear_refs).
      try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
      let before = mostResident()
      let value = await call()
      return (value, mostResident() - before)
    }

    /// The most memory that the process had, in bytes; 0 where the system does not tell.
    private static func mostResident() -> Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return kilobytes << 10
    }
  }
#endif
