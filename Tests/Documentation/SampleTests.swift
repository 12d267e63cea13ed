import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

extension Criteria.Key {
  static let year: Self = "year"
}

struct Offline: Error {}

typealias CarService = InMemoryRepository<Car>
typealias CarStore = InMemoryRepository<Car>

/// A type that refuses made-up text.
struct Email: Codable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    guard text.contains("@") else { throw Offline() }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Email: CodableExample {
  static var example: Email { Email("someone@example.org") }
}

struct Owner: Codable, Identifiable, Sendable {
  let id: Int
  var email: Email
}

/// The error of a repository that writes one model after another.
struct BatchError: PartialError {
  var done: [String] = []
  var failed: [String] = []
  var unsent: [String] = []
  var underlying: any Error

  var failureKind: FailureKind { FailureKind(underlying) }
}

/// The error of a repository whose service has a newer car.
struct StaleCar: ConflictError {
  let car: Car
  let currentVersion: String?

  var current: (any Sendable)? { car }
}

/// The samples of the documentation comments, as they stand there.
@Suite(.serialized) struct SampleTests {
  private let car = Car(id: 1, name: "datsun 210", origin: "Japan", year: 1980)

  @Test func `criteria read as they are written`() async throws {
    let mine: Criteria = ["year": 2002, "owner": nil]
    let recent = (Criteria.Key("year") >= 2000 && !Criteria.Key("model").hasPrefix("B"))
      .sorted(by: "year", descending: true)
      .limit(20)
    #expect(mine["year"] as? Int == 2002)
    #expect(recent.limit == 20)
    let typed: Criteria = Criteria.Key.year == 2002
    #expect(typed[.year] as? Int == 2002)
  }

  @Test func `a repository in memory needs no setting up`() async throws {
    let cars = InMemoryRepository([car])
    let japanese = try await cars.find(["origin": "Japan"]).value
    #expect(japanese == [car])
  }

  @Test func `a page ends with the cursor for the next`() async throws {
    let cars = InMemoryRepository((1...5).map { car(id: $0, year: 1980) })
    let criteria = Criteria().sorted(by: .year).limit(2)
    let page = try await cars.find(criteria).value
    let next = criteria.after(try criteria.cursor(at: page[page.count - 1]))
    #expect(try await cars.find(next).value.map(\.id) == [3, 4])
  }

  @Test func `a strategy of one's own explains itself`() throws {
    let careful = try Strategy(rules: [
      .find: .remoteFirst, .findOne: .remoteFirst,
      .store: .remoteOnly, .storeOne: .remoteOnly,
      .update: .remoteOnly, .updateOne: .remoteOnly,
      .remove: .remoteOnly, .removeOne: .remoteOnly,
    ])
    print(careful.explain())
    #expect(careful[.find] == .remoteFirst)
  }

  @Test func `a strategy that misses rules is refused in a sentence`() {
    let json = Data(#"{ "find": "remoteFirst" }"#.utf8)
    var strategy: Strategy?
    do {
      strategy = try Strategy(json: json)
    } catch {
      print(error)  // a StrategyError: one sentence that names the action and the field
    }
    #expect(strategy == nil)
  }

  @Test func `an error says whether trying again helps, and what it is about`() {
    func advice(after error: any Error) -> String {
      switch FailureKind(error) {
      case .transient: "Try again later."
      case .authorization: "Sign in first."
      case .conflict: "Load it again, and then save it."
      case .permanent: "Change it before you save it."
      }
    }
    func cause(of error: any Error) -> String {
      switch FailureScope(error) {
      case .write: "The service refused this write."
      case .service: "The service cannot be reached."
      case .carriedOut: "The service made the write, and its answer is unreadable."
      }
    }
    let stale = StaleCar(car: car, currentVersion: "2")
    #expect(advice(after: stale) == "Load it again, and then save it.")
    #expect(cause(of: stale) == "The service refused this write.")
    let batch = BatchError(done: ["1"], failed: ["2"], underlying: Offline())
    #expect(advice(after: batch) == "Try again later.")
    #expect(cause(of: batch) == "The service cannot be reached.")
  }

  @Test func `the call of the overview answers`() async {
    Evocation.shared.register(for: Car.self).strategy(.remoteOnly)
      .repository(remote: RepositoryMock { [car] _ in [car] })
    defer { Evocation.shared.unregister(Car.self) }
    let result = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
    print(result.data?.count ?? 0, "cars from", result.origin?.rawValue ?? "nowhere")
    #expect(result.data == [car])
  }

  @Test func `a proxy is a chain`() async {
    Evocation.shared
      .register(for: Car.self)
      .repository(remote: CarService())
      .repository(local: CarStore())
      .strategy(.default())
    defer { Evocation.shared.unregister(Car.self) }
    #expect(await Evocation.find(model: Car.self).data == [])
  }

  @Test func `an answer may say more than its models`() {
    let (cars, etag) = ([car], "x")
    let response =
      Response(cars, metadata: ["etag": etag])
    #expect(response.metadata["etag"] as? String == "x")
  }

  @Test func `a type that refuses made-up values gives an example`() async throws {
    let owners = InMemoryRepository([Owner(id: 1, email: Email("a@b"))])
    #expect(try await owners.find(["email": "a@b"]).value.count == 1)
  }

  @Test @MainActor func `an answer is observed`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: InMemoryRepository([car]))
      .strategy(.localOnly)
    let task = Task {
      for await result in evocation.observe(model: Car.self, criteria: ["origin": "Japan"]) {
        print(result.data?.count ?? 0)
      }
    }
    task.cancel()
    await task.value
    let cars = ObservedModels(Car.self, where: \.origin == "Japan")
    #expect(cars.models.isEmpty)
  }

  @Test func `a mock answers from its script, and a gate holds it back`() async {
    let car = car
    let evocation = Evocation()
    let proxy = evocation.register(for: Car.self).strategy(.remoteOnly)
    do {
      let remote = RepositoryMock<Car> { call in
        guard case .find = call else { throw Offline() }
        return [car]
      }
      proxy.repository(remote: remote)
      #expect(await evocation.find(model: Car.self).data == [car])
      #expect(await evocation.storeOne(car).error is Offline)
    }
    let gate = Gate()
    let remote = RepositoryMock<Car> { _ in
      try await gate.pass()
      return []
    }
    proxy.repository(remote: remote)
    async let result = evocation.find(model: Car.self)
    await gate.arrivals(1)
    gate.open()
    #expect(await result.data == [])
  }

  @Test func `a clock goes on when it is told to`() {
    let clock = ManualClock()
    let evocation = Evocation(configuration: .init(clock: clock))
    clock.advance(by: .seconds(5))
    #expect(clock.now.offset == .seconds(5))
    evocation.unregister(Car.self)
  }

  private func car(id: Int, year: Int) -> Car {
    Car(id: id, name: "", origin: "", year: year)
  }
}

@Suite(.patient) struct ContractSampleTests {
  @Test func `a contract is an empty list`() async {
    let models = (1...3).map { Car(id: $0, name: "", origin: "", year: 1970 + $0) }
    let contract = RepositoryContract(models) { car in
      var car = car
      car.year += 1
      return car
    }
    let violations = await contract.violations { InMemoryRepository<Car>() }
    #expect(violations == [])
    let report = await contract.report { InMemoryRepository<Car>() }
    #expect(report.violations == [])
    #expect(report.refused == [])
  }
}
