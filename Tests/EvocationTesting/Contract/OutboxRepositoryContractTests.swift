import Evocation
import EvocationTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct OutboxRepositoryContractTests {
  private var contract: OutboxRepositoryContract<Car> {
    let models = [
      Car(id: 2, name: "b", year: 1970, owner: "x"), Car(id: 1, name: "a", year: 1980, owner: nil),
      Car(id: 3, name: "a", year: 1990, owner: nil),
    ]
    return OutboxRepositoryContract(models) { car in
      var car = car
      car.year += 1
      return car
    }
  }

  @Test func `the repository in memory keeps the contract`() async {
    #expect(await contract.violations { InMemoryRepository<Car>() } == [])
  }

  @Test(arguments: OutboxSlip.allCases)
  func `an outbox that breaks a rule is told which`(_ slip: OutboxSlip) async {
    let violations = await contract.violations { CarelessOutbox(slip) }
    #expect(violations.contains { $0.rule.hasPrefix(slip.rule) }, "\(slip): \(violations)")
  }
}
