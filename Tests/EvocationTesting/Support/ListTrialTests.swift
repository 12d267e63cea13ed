import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct ListTrialTests {
  /// A local repository that tells its changes, and keeps no lists itself.
  private final class Shelf: ForwardingRepository, ObservableRepository {
    let base = InMemoryRepository<Listed>()
    /// Whether it answers a question for all models with their first titles.
    let forgetsEdits: Bool

    init(forgetsEdits: Bool) { self.forgetsEdits = forgetsEdits }

    func find(_ criteria: Criteria) async throws -> Response<[Listed]> {
      var found = try await base.find(criteria)
      if forgetsEdits, criteria.predicate == nil { found.value = found.value.map { Listed($0.id) } }
      return found
    }

    func observeChanges(
      _ handler: @escaping @Sendable (RepositoryChange<Listed>) -> Void
    ) -> Evocation.Observation {
      base.observeChanges(handler)
    }
  }

  /// What is wrong, by the seeds, each with what led to it.
  private func violations(forgetsEdits: Bool) async throws -> [[String]] {
    var told: [[String]] = []
    for seed in 1...100 as ClosedRange<UInt64> {
      let trial = ListTrial(
        SeededGenerator(seed: seed), local: Shelf(forgetsEdits: forgetsEdits))
      try await trial.run(steps: 16)
      told.append(trial.violations)
    }
    return told.filter { !$0.isEmpty }
  }

  @Test func `A local repository that shows one model in two ways is told so, and what led to it`()
    async throws
  {
    #expect(try await violations(forgetsEdits: false) == [])
    let told = try await violations(forgetsEdits: true)
    #expect(Set(told.map(\.first)) == ["The models are not the store's."])
    let steps = told.flatMap(\.self)
    #expect(steps.contains { $0.hasPrefix("refresh while the service fails: failed(") })
    #expect(told.allSatisfy { $0.last?.hasPrefix("edit ") == true })
  }

  @Test func `A trial is run as its sample does`() async throws {
    var random = Trials.random("lists on a shelf")
    for _ in 0..<100 {
      let one = SeededGenerator(seed: random.next())
      let trial = ListTrial(one, local: InMemoryRepository<Listed>())
      try await trial.run(steps: 16)
      #expect(trial.violations.isEmpty)
    }
  }
}
