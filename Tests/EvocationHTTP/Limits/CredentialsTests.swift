import Evocation
import EvocationTesting
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

@Suite(.patient) struct CredentialsTests {
  private let credentials = Credentials()
  private let asked = Record<Int>()
  private let gate = Gate()

  private func renewal(of refused: String?, _ answer: String?) -> Task<String?, any Error> {
    Task {
      try await credentials.renewed(refused) {
        asked.append(1)
        try await gate.pass()
        return answer
      }
    }
  }

  @Test func `Forty that are refused at the same time are renewed once`() async throws {
    let renewals = (1...40).map { _ in renewal(of: "old", "new") }
    await gate.arrivals(1)
    gate.open()
    for renewal in renewals { #expect(try await renewal.value == "new") }
    #expect(asked.elements.count == 1)
  }

  @Test func `One that comes late with an old credential gets the new one without asking`()
    async throws
  {
    gate.open()
    for (old, new) in [("1", "2"), ("2", "3"), ("3", "4")] {
      #expect(try await renewal(of: old, new).value == new)
    }
    for old in ["1", "2", "3"] { #expect(try await renewal(of: old, "5").value == "4") }
    #expect(asked.elements.count == 3)
    #expect(try await renewal(of: "4", "1").value == "1")
    // What was refused once is as good as any when it is given again.
    #expect(try await renewal(of: "1", "6").value == "6")
  }

  @Test func `A renewal that gives nothing, or the same, is asked for anew`() async throws {
    gate.open()
    #expect(try await renewal(of: "old", nil).value == nil)
    #expect(try await renewal(of: "old", "old").value == "old")
    #expect(try await renewal(of: "old", "new").value == "new")
    #expect(try await renewal(of: nil, "first").value == "first")
    #expect(asked.elements.count == 4)
  }

  @Test func `A renewal that fails, fails for all that wait, and is asked for anew`() async throws {
    struct SignedOut: Error {}
    let renewals = (1...5).map { _ in
      Task {
        try await credentials.renewed("old") {
          asked.append(1)
          try await gate.pass()
          throw SignedOut()
        }
      }
    }
    await gate.arrivals(1)
    gate.open()
    for renewal in renewals { await #expect(throws: SignedOut.self) { try await renewal.value } }
    // A task that began after the first ones had failed asked again.
    let before = asked.elements.count
    #expect(try await renewal(of: "old", "new").value == "new")
    #expect(asked.elements.count == before + 1)
  }

  @Test func `One that waits and is cancelled ends the renewal for nobody else`() async throws {
    let first = renewal(of: "old", "new")
    await gate.arrivals(1)
    let second = renewal(of: "old", "new")
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value == "new")
    #expect(asked.elements.count == 1)
  }
}

#if os(macOS) || os(Linux)
  @Suite(.patient) struct CredentialsOnAServiceTests {
    private let service: Service
    private let occasions = Record<HTTPService.Occasion>()
    private let token = Record<String>()

    init() async throws {
      service = try await Service.start(
        data: [Car.file, Airport.file], arguments: ["--bearer", "new"])
      token.append("old")
    }

    private var configuration: Setup {
      var configuration = Setup()
      configuration.limits.requestsAtOnce = 40
      configuration.authorization = { occasion in
        if occasion == .refusal {
          occasions.append(occasion)
          token.append("new")
        }
        return "Bearer \(token.elements.last ?? "")"
      }
      return configuration
    }

    @Test func `Two models whose requests are refused at once renew their credential once`()
      async throws
    {
      try await service.control(.delay(.milliseconds(100)))
      let configuration = configuration
      let cars = HTTPRepository<Car>(at: service.url, "cars", configuration)
      let airports = HTTPRepository<Airport>(at: service.url, "airports", configuration)
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for id in 1...20 {
          group.addTask { try await cars.findOne(["id": id]).value?.id == id }
          group.addTask { try await airports.findOne(["id": "SFO"]).value?.id == "SFO" }
        }
        for try await isRight in group { #expect(isRight) }
      }
      #expect(occasions.elements == [.refusal])
    }

    @Test func `Who observes a credential is told once another has replaced a refused one`()
      async throws
    {
      let configuration = configuration
      func repository<Model>(_ path: String) -> HTTPRepository<Model> {
        HTTPRepository(at: service.url, path, configuration)
      }
      let (cars, airports): (HTTPRepository<Car>, HTTPRepository<Airport>) =
        (repository("cars"), repository("airports"))
      let told = Record<Int>()
      let observation = cars.observeCredential { told.append(1) }
      // A request of another model of the same service.
      #expect(try await airports.findOne(["id": "SFO"]).value != nil)
      #expect(told.elements.count == 1)
      // Nothing has been refused since.
      #expect(try await cars.findOne(["id": 1]).value != nil)
      #expect(told.elements.count == 1)
      observation.cancel()
      token.append("old")
      #expect(try await cars.findOne(["id": 2]).value != nil)
      #expect(told.elements.count == 1)
    }

    @Test func `A credential that stays refused is none, and one that the app sets itself is`()
      async throws
    {
      let cars = service.cars {
        $0.authorization = { _ in token.elements.last.map { "Bearer \($0)" } }
      }
      let told = Record<String?>()
      // It may ask the repository itself: nothing is locked.
      let observation = cars.observeCredential {
        told.append(token.elements.last)
        _ = cars.observeCredential {}
      }
      for _ in 1...3 {
        let error = await failure { try await cars.updateOne(car(1)) } as? HTTPError
        #expect(error?.code == .unauthorized && error?.failureScope == .service)
      }
      #expect(told.elements.isEmpty)
      token.append("wrong")
      _ = await failure { try await cars.findOne(["id": 1]) }
      #expect(told.elements == ["wrong"])
      _ = await failure { try await cars.findOne(["id": 1]) }
      #expect(told.elements == ["wrong"])
      token.append("new")
      #expect(try await cars.findOne(["id": 1]).value != nil)
      #expect(told.elements == ["wrong", "new"])
      withExtendedLifetime(observation) {}
    }

    @Test func `A closure that gives nothing, or fails, has replaced nothing`() async throws {
      struct SignedOut: Error {}
      let cars = service.cars {
        $0.authorization = { occasion in
          if occasion == .refusal, token.elements.count > 1 { throw SignedOut() }
          return occasion == .refusal ? nil : "Bearer \(token.elements.last ?? "")"
        }
      }
      let told = Record<Int>()
      let observation = cars.observeCredential { told.append(1) }
      _ = await failure { try await cars.findOne(["id": 1]) }
      token.append("old")
      let error = await failure { try await cars.findOne(["id": 1]) } as? HTTPError
      #expect(error?.code == .unauthorized && error?.underlying is SignedOut)
      #expect(told.elements.isEmpty)
      withExtendedLifetime(observation) {}
    }

    @Test func `A repository without a credential can be observed, and tells nothing`() async throws
    {
      struct Plain: SharedService { let service = "here" }
      let told = Record<Int>()
      let observations = [
        Plain().observeCredential { told.append(1) },
        service.cars().observeCredential { told.append(2) },
      ]
      _ = await failure { try await service.cars().findOne(["id": 1]) }
      for observation in observations { observation.cancel() }
      #expect(told.elements.isEmpty)
    }

    @Test func `A hook that calls the repository is refused itself, and does not wait for itself`()
      async throws
    {
      let repository = Record<HTTPRepository<Car>>()
      let codes = Record<HTTPError.Code?>()
      let cars = service.cars {
        $0.authorization = { occasion in
          guard occasion == .refusal else { return "Bearer old" }
          let own = Task { try await repository.elements.first?.findOne(["id": 1]) }
          codes.append((await failure { try await own.value } as? HTTPError)?.code)
          return "Bearer new"
        }
      }
      repository.append(cars)
      #expect(try await cars.findOne(["id": 2]).value?.id == 2)
      #expect(codes.elements == [.unauthorized])
    }

    @Test func `A call whose hook is slow is cancelled at once`() async throws {
      for slow in HTTPService.Occasion.allCases {
        let gate = Gate()
        let cars = service.cars {
          $0.authorization = { occasion in
            if occasion == slow { try await gate.pass() }
            return "Bearer \(occasion == .request ? "old" : "new")"
          }
        }
        let call = Task { try await cars.findOne(["id": 1]) }
        await gate.arrivals(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        gate.open()
        #expect(try await cars.findOne(["id": 1]).value?.id == 1)
      }
    }
  }
#endif
