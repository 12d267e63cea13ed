#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  extension TransportSuite {
    static var redirectChecks: [Check] {
      [
        Check("A 303 to a write is read where it leads") { trial in
          for call in [Call.storeOne, .replaceOne] {
            try await trial.service.reset()
            try await trial.service.control(.redirect(to: "/cars/7", status: 303, times: 1))
            let cars = trial.cars { $0.authorization = { _ in "Bearer secret" } }
            try await call.perform(cars)
            let requests = try await trial.service.requests()
            trial.require("the requests", requests.map(\.method).last, "GET")
            trial.require("the second body", requests.last?.body, nil)
            trial.require("the type", requests.last?.headers["content-type"], nil)
            trial.require(
              "the credential", requests.last?.headers["authorization"], "Bearer secret")
          }
        },
        Check("A write is not sent on to another origin unless it is named") { trial in
          let other = try await Service.start()
          defer { other.stop() }
          for status in [307, 308] {
            for call in Call.all where !call.name.hasPrefix("find") {
              try await trial.service.reset()
              let address = "\(other.url.absoluteString)/cars"
              try await trial.service.control(.redirect(to: address, status: status))
              let error = await trial.error(call.name) { try await call.perform(trial.cars()) }
              trial.require("the code of \(call.name)", error?.code, .redirectRefused)
              trial.require("the status", error?.status, status)
            }
          }
          trial.require("what the other was asked", try await other.requests().count, 0)
        },
        Check("A write that may be sent on loses its credentials") { trial in
          let other = try await Service.start()
          defer { other.stop() }
          for status in [307, 308] {
            try await other.reset()
            try await trial.service.control(
              .redirect(to: "\(other.url.absoluteString)/cars", status: status))
            let cars = trial.cars {
              $0.redirectHosts = ["127.0.0.1"]
              $0.authorization = { _ in "Bearer secret" }
              $0.headers = ["X-Api-Key": "secret"]
            }
            trial.require("the car", try await cars.storeOne(newCar()).value, newCar())
            let request = try await other.requests().first
            trial.require("the method", request?.method, "POST")
            trial.require("a body", request?.body?.isEmpty == false)
            trial.require("the credential", request?.headers["authorization"], nil)
            trial.require("the other credential", request?.headers["x-api-key"], nil)
          }
        },
        Check("A read follows redirects, without its credentials to another origin") { trial in
          let other = try await Service.start()
          defer { other.stop() }
          for status in [301, 302, 303, 307, 308] {
            try await other.reset()
            try await trial.service.control(
              .redirect(to: "\(other.url.absoluteString)/cars/7", status: status))
            let cars = trial.cars { $0.authorization = { _ in "Bearer secret" } }
            trial.require("the car", try await cars.findOne(["id": 7]).value?.id, 7)
            let request = try await other.requests().first
            trial.require("the credential", request?.headers["authorization"], nil)
          }
        },
        Check("A redirect without an address, or round in a circle, ends") { trial in
          for status in [301, 302, 303, 307, 308] {
            try await trial.service.control(.status(status, body: "gone"))
            let error = await trial.error("find") { try await trial.cars().find(Criteria()) }
            trial.require("the status", error?.status, status)
            try await trial.service.control(.redirect(to: "/cars", status: status))
            let circle = await trial.error("find") { try await trial.cars().find(Criteria()) }
            trial.require("the code", circle?.code, .redirectRefused)
          }
        },
      ]
    }
  }
#endif
