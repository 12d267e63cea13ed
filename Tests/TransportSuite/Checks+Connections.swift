#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  extension TransportSuite {
    private static let endings: [Service.Switch.Ending] = [.close, .reset]
    private static let moments: [Service.Switch.HangUp] = [.beforeActing, .afterActing]

    static var connectionChecks: [Check] {
      lostBeforeAnswerChecks + lostWhileKeptChecks + [
        Check("An answer that ends in its middle is a lost connection") { trial in
          for ending in endings {
            for call in [Call.find, .findOne, .storeOne] {
              try await trial.service.reset()
              try await trial.service.control(
                ending == .close ? .hangUp(.midAnswer) : .reset(.midAnswer))
              let cars = trial.cars { $0.idempotency = nil }
              await trial.requireTransient(call.name, [.connectionLost]) {
                try await call.perform(cars)
              }
            }
          }
        },
        Check("A connection that ends after the whole answer costs nothing") { trial in
          try await trial.service.control(.hangUp(.afterAnswer))
          let cars = trial.cars()
          for id in 500..<510 {
            trial.require("the car", try await cars.storeOne(newCar(id)).value?.id, id)
            trial.require("the car", try await cars.findOne(["id": id]).value?.id, id)
          }
        },
        Check("Nothing that listens is named as that") { trial in
          let held = try HeldPort()
          for call in Call.all {
            await trial.requireTransient(call.name, [.refused]) {
              try await call.perform(trial.cars(at: held.url))
            }
          }
          withExtendedLifetime(held) {}
        },
        Check("A host that does not speak TLS is not trusted") { trial in
          let url = URL(string: "https://127.0.0.1:\(trial.service.port)") ?? trial.service.url
          let error = await trial.error("find") { try await trial.cars(at: url).find(Criteria()) }
          trial.require("the code", error?.code, .untrusted)
        },
      ]
    }

    private static var lostBeforeAnswerChecks: [Check] {
      [
        Check("A write with a key whose connection is lost is sent once more") { trial in
          for ending in endings {
            for moment in moments {
              for call in Call.all where call.name.hasPrefix("find") == false {
                try await trial.service.reset()
                try await trial.service.control(
                  ending == .close ? .hangUp(moment, times: 1) : .reset(moment, times: 1))
                do {
                  try await call.perform(trial.cars())
                } catch {
                  trial.add(
                    "\(call.name) threw \(error) after \(ending.rawValue) \(moment.rawValue)")
                }
                try await trial.requireRequests(2, of: call.name)
                let requests = try await trial.service.requests()
                let keys = Set(requests.map { $0.headers["idempotency-key"] })
                trial.require("the keys", keys.count, 1)
                trial.require("the bodies", Set(requests.map(\.body)).count, 1)
              }
            }
          }
        },
        Check("A write without a key whose connection is lost is sent once") { trial in
          for ending in endings {
            for moment in moments {
              try await trial.service.reset()
              try await trial.service.control(
                ending == .close ? .hangUp(moment, times: 1) : .reset(moment, times: 1))
              await trial.requireTransient("storeOne", [.connectionLost]) {
                try await trial.cars { $0.idempotency = nil }.storeOne(newCar())
              }
              try await trial.requireRequests(1, of: "storeOne")
              try await trial.requireStored(newCar(), moment == .afterActing)
            }
          }
        },
        Check("A write whose connection is lost again and again ends at once") { trial in
          for ending in endings {
            for moment in moments {
              for call in Call.withBody {
                try await trial.service.reset()
                try await trial.service.control(
                  ending == .close ? .hangUp(moment) : .reset(moment))
                await trial.requireTransient(call.name, [.connectionLost]) {
                  try await call.perform(trial.cars())
                }
                try await trial.requireRequests(2, of: call.name)
              }
            }
          }
        },
        Check("A read whose connection is lost again and again ends at once") { trial in
          for ending in endings {
            try await trial.service.control(
              ending == .close ? .hangUp(.beforeAnswer) : .reset(.beforeAnswer))
            for call in [Call.find, .findOne] {
              await trial.requireTransient(call.name, [.connectionLost]) {
                try await call.perform(trial.cars())
              }
            }
          }
        },
      ]
    }

    private static var lostWhileKeptChecks: [Check] {
      [
        Check("A write with a key on a kept connection that is lost is sent once more") { trial in
          for ending in endings {
            for call in Call.all {
              try await trial.service.reset()
              try await trial.service.control(.endsNext(by: ending, times: 1))
              let cars = trial.cars()
              _ = try await cars.findOne(["id": 9])
              do {
                try await call.perform(cars)
              } catch  where call.name.hasPrefix("find") {
                trial.require("the code", (error as? HTTPError)?.code, .connectionLost)
              } catch {
                trial.add("\(call.name) threw \(error) after \(ending.rawValue)")
              }
            }
          }
        },
        Check("A write without a key on a kept connection that is lost is sent once") { trial in
          for ending in endings {
            for call in Call.withBody {
              try await trial.service.reset()
              try await trial.service.control(.endsNext(by: ending, times: 1))
              let cars = trial.cars { $0.idempotency = nil }
              _ = try await cars.findOne(["id": 9])
              // A transport may send it on a connection of its own, which is not lost.
              do {
                try await call.perform(cars)
              } catch {
                trial.require("the code", (error as? HTTPError)?.code, .connectionLost)
              }
              try await trial.requireRequests(2, of: call.name)
              _ = try await cars.findOne(["id": 9])
            }
          }
        },
        Check("A write on a kept connection that is lost after acting is sent once") { trial in
          for ending in endings {
            for call in Call.withBody {
              try await trial.service.reset()
              let cars = trial.cars { $0.idempotency = nil }
              _ = try await cars.findOne(["id": 9])
              try await trial.service.control(
                ending == .close ? .hangUp(.afterActing, times: 1) : .reset(.afterActing, times: 1))
              await trial.requireTransient(call.name, [.connectionLost]) {
                try await call.perform(cars)
              }
              try await trial.requireRequests(2, of: call.name)
            }
          }
        },
      ]
    }
  }
#endif
