#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures

  extension TransportSuite {
    private static let digest = #"Digest realm="cars", nonce="abc", qop="auth", algorithm=MD5"#
    private static let challenges: [[String]] = [
      [#"Basic realm="cars""#], ["Basic"], [#"Bearer, Basic realm="cars""#], [digest],
      [#"Bearer realm="cars""#, #"Basic realm="cars""#], [digest, "Bearer"], ["NTLM"],
      ["Negotiate"], ["Bearer"], ["  ,, =\"", "Basic ,"], [],
    ]

    static var challengeChecks: [Check] {
      challenges.map { fields in
        let name =
          fields.isEmpty ? "no challenge" : "the challenge \(fields.joined(separator: " | "))"
        return Check("A refusal with \(name) ends any call at once, once") { trial in
          for call in Call.all { try await refused(call, by: fields, trial) }
        }
      } + [
        Check("A credential that was refused with a challenge is renewed once") { trial in
          for fields in challenges {
            for call in Call.all { try await renewed(call, after: fields, trial) }
          }
        },
        Check("A second refusal with a challenge is an error, after one renewal") { trial in
          let occasions = Lock<[HTTPService.Occasion]>([])
          try await trial.service.control(refusal([#"Basic realm="cars""#]))
          let error = await trial.error("storeOne") {
            try await trial.cars {
              $0.authorization = { occasion in
                occasions.withLock { $0.append(occasion) }
                return "Bearer \(occasion.rawValue)"
              }
            }.storeOne(newCar())
          }
          trial.require("the code", error?.code, .unauthorized)
          trial.require("the hook's occasions", occasions.withLock { $0 }, [.request, .refusal])
          try await trial.requireRequests(["POST /cars 401", "POST /cars 401"])
        },
        Check("A proxy's refusal with a challenge ends the call at once") { trial in
          let fields = ["Proxy-Authenticate": [#"Basic realm="proxy""#]]
          try await trial.service.control(.status(407, fields: fields, body: "no"))
          for call in [Call.find, .storeOne] {
            let error = await trial.error(call.name) { try await call.perform(trial.cars()) }
            trial.require("the status", error?.status, 407)
          }
        },
      ]
    }

    private static func refusal(_ fields: [String], times: Int? = nil) -> Service.Switch {
      .status(
        401, times: times, fields: fields.isEmpty ? [:] : ["WWW-Authenticate": fields],
        body: #"{"error": "Sign in."}"#
      )
    }

    private static func refused(_ call: Call, by fields: [String], _ trial: Trial) async throws {
      try await trial.service.reset()
      try await trial.service.control(refusal(fields))
      let error = await trial.error(call.name) { try await call.perform(trial.cars()) }
      trial.require("the code of \(call.name)", error?.code, .unauthorized)
      trial.require("the status of \(call.name)", error?.status, 401)
      trial.require("the body of \(call.name)", error?.body, #"{"error": "Sign in."}"#)
      trial.require("the kind of \(call.name)", error?.failureKind, .authorization)
      let count = try await trial.service.requests().count
      trial.require("the requests of \(call.name)", count, 1)
    }

    private static func renewed(_ call: Call, after fields: [String], _ trial: Trial) async throws {
      try await trial.service.reset()
      try await trial.service.control(refusal(fields, times: 1))
      let occasions = Lock<[HTTPService.Occasion]>([])
      let cars = trial.cars {
        $0.authorization = { occasion in
          occasions.withLock { $0.append(occasion) }
          return "Bearer \(occasion.rawValue)"
        }
      }
      do {
        try await call.perform(cars)
      } catch {
        trial.add("\(call.name) after \(fields) threw \(error)")
      }
      let requests = try await trial.service.requests()
      let credentials = requests.map { $0.headers["authorization"] }
      trial.require(
        "the credentials of \(call.name)", credentials, ["Bearer request", "Bearer refusal"])
      trial.require("the occasions", occasions.withLock { $0 }, [.request, .refusal])
      trial.require("the second body", requests.last?.body, requests.first?.body)
    }
  }
#endif
