import Evocation
import EvocationTesting
import Testing

struct Car: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String
  var year: Int
  var owner: String?
}

@Suite(.timeLimit(.minutes(20))) struct RepositoryContractTests {
  private let models = [
    Car(id: 1, name: "a", year: 1980, owner: nil),
    Car(id: 2, name: "b", year: 1970, owner: "x"),
    Car(id: 3, name: "a", year: 1990, owner: nil),
  ]

  private var contract: RepositoryContract<Car> {
    let contract = RepositoryContract(models) { car in
      var car = car
      car.year += 1
      return car
    }
    return contract
  }

  @Test func `the repository in memory keeps the contract`() async {
    let report = await contract.report { InMemoryRepository<Car>() }
    #expect(report.violations == [])
    #expect(report.refused == [])
    #expect(await contract.violations { InMemoryRepository<Car>() } == [])
  }

  /// What can be wrong with a repository, and the rule that notices.
  private static let faults: [(Slip, String)] = [
    (.storesWhatIsThere, "store refuses models when one is there"),
    (.updatesWhatIsAbsent, "update changes the models that are there"),
    (.answersWhatWasAskedToBeRemoved, "remove takes models away"),
    (.ignoresUnknownKeys, "A key that the model does not have"),
    (.ignoresOrder, "A sort gives the order"),
    (.ignoresLimit, "A limit and an offset"),
    (.findsTheLast, "findOne gives the first"),
    (.countsAll, "A limit and an offset"),
    (.saysThatNothingIsThere, "Criteria of equality"),
    (.ignoresCursors, "after gives the models that follow"),
    (.finishesWhatWasCancelled, "A read whose task was cancelled"),
    (.finishesWhatWasCancelled, "A write whose task was cancelled"),
    (.takesOrForAnd, "|| gives the models"),
    (.ignoresNot, "! gives the models"),
    (.ignoresCaseOfPrefixes, "hasPrefix gives the models"),
    (.takesContainsForPrefix, "contains gives the models"),
    (.ignoresAnd, "&&, between and isNull"),
    (.refusesWithoutNaming, "|| gives the models"),
  ]

  @Test(arguments: faults.indices)
  func `a repository that breaks a rule is told which`(_ index: Int) async {
    let (slip, rule) = Self.faults[index]
    let violations = await contract.violations { CarelessRepository(slip) }
    #expect(violations.contains { $0.rule.hasPrefix(rule) }, "\(slip): \(violations)")
  }

  @Test(arguments: TellingSlip.allCases)
  func `a repository that tells its changes wrongly is told so`(_ slip: TellingSlip) async {
    let violations = await contract.violations { CarelessTeller(slip) }
    let rule =
      switch slip {
      case .tellsNothing, .tellsUpdatesAsStored, .tellsTwice: "Each commit is told"
      case .tellsReads: "A call that changed nothing"
      case .tellsForEver: "An observation that was cancelled"
      }
    #expect(violations.contains { $0.rule.hasPrefix(rule) }, "\(slip): \(violations)")
  }

  @Test func `what a repository refuses in words that name it is reported, and breaks nothing`()
    async
  {
    let report = await contract.report { CarelessRepository(.refusesOr) }
    #expect(report.violations == [])
    #expect(report.refused == [.or, .observing])
    #expect(
      report.refusals.map(\.description).sorted() == [
        "observing: It is not an ObservableRepository.", "or: The service has no \"or\".",
      ])
  }

  @Test func `a repository that fails throughout breaks every rule but of keys and observing`()
    async
  {
    let broken = RepositoryMock<Car> { _ in throw CancellationError() }
    let violations = await contract.violations { broken }
    // It throws for unknown keys too, and is not observable.
    #expect(Set(violations.map(\.rule)).count == 25)
    #expect(violations.allSatisfy { $0.description.contains("CancellationError") })
  }
}
