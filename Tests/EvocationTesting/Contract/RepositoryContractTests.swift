import Evocation
import EvocationTesting
import TestTraits
import Testing

struct Car: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var name: String
  var year: Int
  var owner: String?
}

extension Car: CustomStringConvertible {
  var description: String { "car \(id) of \(year)" }
}

@Suite(.patient) struct RepositoryContractTests {
  private let models = [
    Car(id: 1, name: "ab", year: 1980, owner: nil),
    Car(id: 2, name: "b", year: 1970, owner: "x"),
    Car(id: 3, name: "ab", year: 1990, owner: nil),
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

  /// What can be wrong with a repository, the rule that it breaks, and what was seen.
  private static let faults: [(Slip, rule: String, seen: String)] = [
    (
      .storesWhatIsThere, "store refuses models when one is there, and then stores none of them.",
      "It threw nothing."
    ),
    (
      .throwsAnotherError, "store refuses one id twice in one call, and then stores nothing.",
      "It threw another error: It is there already."
    ),
    (
      .updatesWhatIsAbsent, "update changes the models that are there and gives those.",
      "update gave 2, 3 instead of 2."
    ),
    (
      .answersWhatWasAskedToBeRemoved,
      "remove takes models away by their ids, and gives them as they last were.",
      "A removal gave 2, 3 instead of 2."
    ),
    (
      .ignoresUnknownKeys, "A key that the model does not have is an error.",
      "It gave an answer."
    ),
    (
      .ignoresOrder,
      "A sort gives the order of the reference, with null first and ids among equals.",
      "A question about name gave 1, 2, 3 instead of 1, 3, 2."
    ),
    (
      .ignoresLimit, "A limit and an offset give that part of the whole.",
      "limit(1) after offset(0) gave 1, 2, 3 instead of 1."
    ),
    (
      .countsAll, "A limit and an offset give that part of the whole.",
      "count gave 3 instead of 1."
    ),
    (
      .findsTheLast, "findOne gives the first that find gives.",
      "It gave another."
    ),
    (
      .saysThatNothingIsThere,
      "Criteria of equality give the models with that value, in the order of ids.",
      "exists gave false where there are 1."
    ),
    (
      .ignoresCursors, "after gives the models that follow the cursor's, in the order asked for.",
      "after(1) gave 1, 2 instead of 2, 3."
    ),
    (
      .finishesWhatWasCancelled, "A read whose task was cancelled throws CancellationError.",
      "find gave an answer."
    ),
    (
      .finishesWhatWasCancelled,
      "A write whose task was cancelled throws CancellationError and writes nothing.",
      "store gave an answer."
    ),
    (
      .takesOrForAnd, "|| gives the models that satisfy at least one side.",
      "A question about id gave nothing instead of 1, 2."
    ),
    (
      .ignoresNot, "! gives the models that do not satisfy it, also those without a value.",
      "A question about id gave 1 instead of 2, 3."
    ),
    (
      .ignoresCaseOfPrefixes, "hasPrefix gives the models whose text begins with it, byte by byte.",
      "A question about name gave 1, 3 instead of nothing."
    ),
    (
      .takesContainsForPrefix, "contains gives the models whose text contains it, byte by byte.",
      "A question about name gave 2 instead of 1, 2, 3."
    ),
    (
      .ignoresOptions, "Options leave out case and accents, as in the reference.",
      "A question about name gave nothing instead of 1, 3."
    ),
    (
      .ignoresAnd, "&&, between and isNull give what the reference gives.",
      "A question about id gave 2, 3 instead of 3."
    ),
    (
      .refusesWithoutNaming, "|| gives the models that satisfy at least one side.",
      "It refused without naming the capability: It did not work."
    ),
  ]

  @Test(arguments: faults)
  func `a repository that breaks a rule is told which, and how`(
    _ slip: Slip, _ rule: String, _ seen: String
  ) async {
    let violations = await contract.violations { CarelessRepository(slip) }
    #expect(violations.contains { $0.rule == rule && $0.observation == seen }, "\(violations)")
  }

  @Test(arguments: TellingSlip.allCases)
  func `a repository that tells its changes wrongly is told so`(_ slip: TellingSlip) async {
    let violations = await contract.violations { CarelessTeller(slip) }
    let rule =
      switch slip {
      case .tellsNothing, .tellsUpdatesAsStored, .tellsTwice: "Observers get each commit"
      case .tellsReads: "A call that changed nothing"
      case .tellsForEver: "An observation that was cancelled"
      }
    #expect(violations.contains { $0.rule.hasPrefix(rule) }, "\(slip): \(violations)")
  }

  @Test(arguments: [
    (Slip.refusesOr, "or: The service has no \"or\"."),
    (.givesOtherIDs, "ids: store returned models under other ids."),
    (.givesOtherIDsInPlaceOfTaken, "ids: It stored models under other ids."),
    (
      .givesRemovedAsItWasAsked,
      "lastState: It returned the removed models as the caller passed them."
    ),
  ])
  func `what a repository may do otherwise is reported, and breaks nothing`(
    _ slip: Slip, _ refusal: String
  ) async {
    let report = await contract.report { CarelessRepository(slip) }
    #expect(report.violations == [])
    #expect(
      Set(report.refusals.map { "\($0.rawValue): \($1)" })
        == ["observing: It is not an ObservableRepository.", refusal])
    #expect(report.refused == Set(report.refusals.keys))
  }

  @Test func `a contract with fewer than three models says so, and checks nothing`() async {
    for models in [[], Array(models.prefix(2)), Array(repeating: models[0], count: 4)] {
      let contract = RepositoryContract(models) { $0 }
      let violations = await contract.violations { InMemoryRepository<Car>() }
      #expect(
        violations.map(\.description) == [
          "The contract needs at least three models with different ids. It has "
            + "\(Set(models.map(\.id)).count): pass more models to RepositoryContract."
        ])
    }
  }

  @Test func `a repository that fails throughout breaks every rule but of keys and observing`()
    async
  {
    let broken = RepositoryMock<Car> { _ in throw CancellationError() }
    let violations = await contract.violations { broken }
    // It throws for unknown keys too, and is not observable.
    #expect(Set(violations.map(\.rule)).count == 27)
    #expect(violations.allSatisfy { $0.description.contains("CancellationError") })
  }
}
