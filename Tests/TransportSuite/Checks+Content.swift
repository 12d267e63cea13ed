#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  extension TransportSuite {
    static var contentChecks: [Check] {
      [
        Check("JSON that is cut off is named as that") { trial in
          try await trial.service.control(.truncated())
          for call in [Call.find, .findOne, .storeOne] {
            let error = await trial.error(call.name) { try await call.perform(trial.cars()) }
            trial.require("the code of \(call.name)", error?.code, .undecodable)
            let says = error?.description.contains("JSON that is broken or cut off") ?? false
            trial.require("the sentence of \(call.name)", says)
          }
        },
        Check("A text that is no JSON is named as that") { trial in
          try await trial.service.control(.garbage())
          let error = await trial.error("find") { try await trial.cars().find(Criteria()) }
          trial.require("the code", error?.code, .undecodable)
        },
        Check("JSON under another type is read all the same") { trial in
          for type in ["text/html", "", "application/problem+json; charset=latin1"] {
            try await trial.service.control(.contentType(type))
            trial.require("the cars", try await trial.cars().find(Criteria()).value.count, 406)
          }
        },
        Check("A page of HTML is named as that") { trial in
          let page = "<!DOCTYPE html><p>Sign in to the network</p>"
          try await trial.service.control(
            .status(200, headers: ["Content-Type": "text/html"], body: page))
          let error = await trial.error("find") { try await trial.cars().find(Criteria()) }
          trial.require("the code", error?.code, .undecodable)
          trial.require("the sentence", error?.description.contains("HTML") ?? false)
        },
        Check("Cookies are neither kept nor sent") { trial in
          try await trial.service.control(.lines("Set-Cookie: a=b; Path=/"))
          let cars = trial.cars()
          for _ in 1...2 { _ = try await cars.find(Criteria().limit(1)) }
          let cookies = try await trial.service.requests().compactMap { $0.headers["cookie"] }
          trial.require("the cookies", cookies, [])
        },
        Check("A field that comes several times is joined by commas") { trial in
          try await trial.service.control(.lines("X-Colour: red", "X-Colour: blue"))
          let metadata = try await trial.cars().find(Criteria().limit(1)).metadata
          let headers = metadata["headers"] as? [String: String]
          let colours = headers?["x-colour"]?.replacingOccurrences(of: " ", with: "")
          trial.require("the field", colours, "red,blue")
        },
        Check("Statuses of all kinds are answers") { trial in
          for status in [200, 204, 205, 300, 304, 399, 400, 402, 418, 451, 499, 500, 511, 599] {
            for call in [Call.find, .storeOne] {
              try await trial.service.reset()
              try await trial.service.control(.status(status, body: "[]"))
              do {
                try await call.perform(trial.cars())
              } catch let error as HTTPError {
                trial.require("the status \(error)", error.status, status)
              }
            }
          }
        },
        Check("A slash at the end of a route stays") { trial in
          let cars = trial.cars { $0.routes = $0.routes.withTrailingSlashes }
          for call in Call.all { _ = try? await call.perform(cars) }
          for request in try await trial.service.requests() {
            trial.require("a slash at the end of \(request.path)", request.path.hasSuffix("/"))
          }
        },
      ]
    }
  }
#endif
