#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures

  extension TransportSuite {
    private static let notHTTP: [HTTPError.Code] = [.malformed, .connectionLost]
    private static let fatal: [Service.Switch.Broken] = [.hugeLength, .trailers]

    static var brokenChecks: [Check] {
      Service.Switch.Broken.allCases.filter { !fatal.contains($0) }.map { form in
        Check("An answer with a broken \(form.rawValue) is an error that may pass") { trial in
          for call in Call.all {
            try await trial.service.reset()
            try await trial.service.control(.broken(form))
            await trial.requireTransient(call.name, notHTTP) {
              try await call.perform(trial.cars { $0.idempotency = nil })
            }
          }
          try await trial.service.reset()
          trial.require("the next answer", try await trial.cars().findOne(["id": 1]).value?.id, 1)
        }
      } + [
        Check("What speaks another protocol is named as that") { trial in
          try await trial.service.control(.broken(.noHTTP))
          let error = await trial.error("find") { try await trial.cars().find(Criteria()) }
          trial.require("the code", error?.code, .malformed)
        },
        Check("An answer with odd lines in its head is an answer, or an error that may pass") {
          trial in
          for line in [
            "no field", ": no name", "X-\u{7F}: 1", "X-Folded: 1\r\n 2", "A B: 1", "X-Blank:   ",
          ] {
            try await trial.service.control(.lines(line))
            do {
              _ = try await trial.cars().find(Criteria().limit(1))
            } catch let error as HTTPError {
              trial.require("the code after \"\(line)\"", notHTTP.contains(error.code))
            }
          }
        },
      ]
    }

    static var endingChecks: [Check] {
      [
        Check("A connection that ends within the head is lost") { trial in
          for place in [Service.Switch.hangUp(.midHead), .reset(.midHead)] {
            for call in Call.all {
              try await trial.service.reset()
              try await trial.service.control(place)
              await trial.requireTransient(call.name, notHTTP) {
                try await call.perform(trial.cars { $0.idempotency = nil })
              }
            }
          }
        },
        Check("Fields behind a body are passed over") { trial in
          for call in Call.all {
            try await trial.service.reset()
            try await trial.service.control(.broken(.trailers))
            try await call.perform(trial.cars())
          }
        },
        Check("A length of 2^63-1 is more than any configuration allows") { trial in
          try await trial.service.control(.broken(.hugeLength))
          for call in Call.all {
            let error = await trial.error(call.name) { try await call.perform(trial.cars()) }
            let isNamed = error.map { ($0.code == .tooLarge) || notHTTP.contains($0.code) }
            trial.require(
              "the code of \(call.name), \(error?.code.rawValue ?? "none")", isNamed ?? false)
          }
        },
      ]
    }
  }
#endif
