#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  extension TransportSuite {
    private static let waits = [
      "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "-1", "nan",
      "inf", "0", "0.5", "3600", "", "soon", "1, 2", "Fri, 31 Dec 9999 23:59:59 GMT",
      "Thu, 01 Jan 1970 00:00:00 GMT", String(repeating: "9", count: 4000),
    ]

    static var waitChecks: [Check] {
      [
        Check("A Retry-After of any size is a wait within ten years, or none") { trial in
          for text in waits {
            for status in [429, 503] {
              try await trial.service.control(.status(status, headers: ["Retry-After": text]))
              let error = await trial.error("find") { try await trial.cars().find(Criteria()) }
              trial.require("the status", error?.status, status)
              let wait = error?.retryAfter ?? .zero
              let longest = Duration.seconds(10 * 366 * 86_400)
              trial.require("the wait of \(text.prefix(40))", (.zero...longest).contains(wait))
              trial.require("a description", error?.description.isEmpty == false)
            }
          }
        },
        Check("Limits that obey Retry-After bear one of any size") { trial in
          for text in waits {
            let cars = trial.cars {
              $0.limits.backoff = [
                .retryAfter, .seconds("Backoff"), .remaining("Left", reset: "At"),
              ]
            }
            try await trial.service.control(
              .status(
                503, headers: ["Retry-After": text, "Backoff": text, "Left": "0", "At": text]
              )
            )
            for _ in 1...2 {
              let error = await trial.error("find") { try await cars.find(Criteria()) }
              trial.require(
                "the code after \(text.prefix(40))",
                error.map { [.server, .postponed].contains($0.code) } ?? false
              )
            }
          }
        },
        Check("A long Retry-After holds up no other write, and the failure says when") { trial in
          try await trial.service.control(
            .status(503, times: 1, headers: ["Retry-After": "3600"]).only(method: "POST")
          )
          let cars = trial.cars()
          let error = await trial.error("storeOne") { try await cars.storeOne(newCar()) }
          trial.require("the wait", error?.retryAfter, .seconds(3600))
          let minutes = (error?.retryDate?.timeIntervalSinceNow ?? 0) / 60
          trial.require("the date", (59...61).contains(minutes))
          trial.require("the next write", try await cars.storeOne(newCar()).value, newCar())
        },
      ]
    }
  }
#endif
