#if os(macOS) || os(Linux)
  import Evocation
  import EvocationHTTP
  import Fixtures
  import Foundation

  /// One check under way: the service that misbehaves, repositories over the transport, and what
  /// was found to be wrong.
  final class Trial: Sendable {
    let service: Service
    private let transport: @Sendable () -> any HTTPTransport
    private let found = Lock<[String]>([])

    init(_ service: Service, _ transport: @escaping @Sendable () -> any HTTPTransport) {
      self.service = service
      self.transport = transport
    }

    var problems: [String] { found.withLock { $0 } }

    func add(_ problem: String) {
      found.withLock { $0.append(problem) }
    }

    /// Requires two values to be the same.
    func require<Value: Equatable>(_ what: String, _ value: Value, _ wanted: Value) {
      if value != wanted { add("\(what) is \(value) and not \(wanted)") }
    }

    func require(_ what: String, _ holds: Bool) {
      if !holds { add("\(what) does not hold") }
    }

    /// A configuration with the transport under test, whose timeout is so long that only what hangs
    /// meets it, however busy the machine is.
    var configuration: Setup {
      var configuration = Setup()
      configuration.transport = transport()
      configuration.timeout = .seconds(300)
      configuration.idempotency = .key("Idempotency-Key")
      return configuration
    }

    /// A repository of the cars.
    func cars(_ change: (inout Setup) -> Void = { _ in }) -> HTTPRepository<Car> {
      cars(at: service.url, change)
    }

    func cars(
      at url: URL, _ change: (inout Setup) -> Void = { _ in }
    ) -> HTTPRepository<Car> {
      var configuration = configuration
      change(&configuration)
      return HTTPRepository(at: url, "cars", configuration)
    }

    /// The error of a call, which is to come long before the timeout, unless that is what is wanted.
    func error(
      _ what: String, byTimeout isLate: Bool = false, _ call: () async throws -> some Any
    ) async -> HTTPError? {
      do {
        let value = try await call()
        add("\(what) gave \(value) in place of an error")
      } catch let error as HTTPError {
        if error.code == .timedOut, !isLate { add("\(what) ended only by its timeout: \(error)") }
        return error
      } catch {
        add("\(what) threw \(error), which is no HTTPError")
      }
      return nil
    }

    /// Requires a call to fail at once with one of some codes, as a failure that may pass.
    func requireTransient(
      _ what: String, _ codes: [HTTPError.Code], _ call: () async throws -> some Any
    ) async {
      guard let error = await error(what, byTimeout: codes.contains(.timedOut), call) else {
        return
      }
      if !codes.contains(error.code) { add("\(what) failed with \(error.code.rawValue): \(error)") }
      require("the kind of \(what)", error.failureKind, .transient)
    }

    /// Requires the models' part of the requests so far: `POST /cars 201`.
    func requireRequests(_ wanted: [String]) async throws {
      let seen = try await service.requests().map { request in
        let status = request.status.map { " \($0)" } ?? ""
        return "\(request.method) \(request.path)\(status)"
      }
      require("what the service was asked", seen, wanted)
    }

    /// Requires the service to have been asked so many times.
    func requireRequests(_ count: Int, of what: String) async throws {
      let requests = try await service.requests()
      guard requests.count != count else { return }
      let seen = requests.map { request in
        "\(request.method) \(request.path), \(request.status.map(String.init) ?? "no status"), "
          + "connection \(request.connection), \(request.body?.utf8.count ?? 0) bytes"
      }
      add("\(what) took \(requests.count) requests and not \(count): \(seen)")
    }

    /// Requires a car to be there as it was sent, or not to be there.
    func requireStored(_ car: Car, _ isThere: Bool = true) async throws {
      let found = try await cars().findOne(["id": car.id]).value
      require("the car that the service has", found, isThere ? car : nil)
    }
  }

  /// A car that the data set does not have.
  func newCar(_ id: Int = 500, name: String = "new") -> Car {
    Car(
      id: id, name: name, cylinders: 4, displacement: 1, horsepower: 1, weight: 1,
      acceleration: 1, year: 1999, origin: "Europe"
    )
  }

  /// A call of a repository, by its name, on a car that is there or is new.
  struct Call: Sendable {
    let name: String
    let perform: @Sendable (HTTPRepository<Car>) async throws -> Void

    static let find = Call(name: "find") { _ = try await $0.find(Criteria().limit(3)) }
    static let findOne = Call(name: "findOne") { _ = try await $0.findOne(["id": 1]) }
    static let storeOne = Call(name: "storeOne") { _ = try await $0.storeOne(newCar()) }
    static let store = Call(name: "store") { _ = try await $0.store([newCar(), newCar(501)]) }
    static let updateOne = Call(name: "updateOne") { _ = try await $0.updateOne(newCar(2)) }
    static let replaceOne = Call(name: "storeOrUpdate") {
      _ = try await $0.storeOrUpdate([newCar(3)])
    }
    static let removeOne = Call(name: "removeOne") { _ = try await $0.removeOne(newCar(4)) }
    static let remove = Call(name: "remove") { _ = try await $0.remove([newCar(5), newCar(6)]) }

    static let all = [
      find, findOne, storeOne, store, updateOne, replaceOne, removeOne, remove,
    ]
    static let withBody = [storeOne, store, updateOne, replaceOne]
  }
#endif
