#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures

  extension TransportSuite {
    private static let parts: [Service.Switch.Part] = [.head, .body]

    static var slowChecks: [Check] {
      [
        Check("A head or a body that comes slowly comes whole") { trial in
          for part in parts {
            try await trial.service.control(.slow(part, over: .milliseconds(500)))
            for call in [Call.find, .storeOne] {
              try await trial.service.reset()
              try await trial.service.control(.slow(part, over: .milliseconds(500)))
              try await call.perform(trial.cars())
            }
          }
        },
        Check("A head or a body that comes too slowly ends with the timeout") { trial in
          for part in parts {
            try await trial.service.control(.slow(part, over: .seconds(3600)))
            for call in [Call.find, .findOne, .storeOne] {
              let cars = trial.cars { $0.timeout = .milliseconds(500) }
              await trial.requireTransient(call.name, [.timedOut]) { try await call.perform(cars) }
            }
          }
        },
        Check("An answer that does not end ends with the timeout") { trial in
          try await trial.service.control(.chunked(.unending))
          for call in [Call.find, .storeOne] {
            let cars = trial.cars { $0.timeout = .milliseconds(500) }
            await trial.requireTransient(call.name, [.timedOut]) { try await call.perform(cars) }
          }
        },
        Check("A call is cancelled before the head, within it and within the body") { trial in
          for fault: Service.Switch in [
            .silent(), .slow(.head, over: .seconds(3600)), .slow(.body, over: .seconds(3600)),
            .chunked(.unending),
          ] {
            for call in [Call.find, .storeOne] {
              try await trial.service.reset()
              try await trial.service.control(fault)
              try await cancelled(call, trial)
            }
          }
        },
        Check("A hundred calls that are cancelled leave room for others") { trial in
          try await trial.service.control(.silent())
          let cars = trial.cars()
          for _ in 1...20 {
            await withTaskGroup(of: Void.self) { group in
              for _ in 1...5 {
                group.addTask { _ = try? await cars.find(Criteria().limit(1)) }
              }
              _ = try? await trial.service.requests(atLeast: 1)
              group.cancelAll()
            }
          }
          try await trial.service.reset()
          trial.require("the answer", try await cars.findOne(["id": 1]).value?.id, 1)
        },
      ]
    }

    private static func cancelled(_ call: Call, _ trial: Trial) async throws {
      let cars = trial.cars()
      let task = Task { try await call.perform(cars) }
      _ = try await trial.service.requests(atLeast: 1)
      task.cancel()
      do {
        try await task.value
        trial.add("\(call.name) was not cancelled")
      } catch is CancellationError {
      } catch {
        trial.add("\(call.name) threw \(error) when it was cancelled")
      }
    }
  }
#endif
