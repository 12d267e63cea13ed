import Evocation
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@Suite(.patient) struct InMemoryListTrialTests {
  @Test func `Any operations on a shifting list leave what a plain model of it says`()
    async throws
  {
    var random = Trials.random("lists in memory")
    var pageCount = 0
    let rounds = Trials.count(400)
    for round in 0..<rounds {
      let one = SeededGenerator(seed: random.next())
      let trial = ListTrial(one, local: InMemoryRepository<Listed>())
      try await trial.run(steps: 16)
      pageCount += trial.pageCount
      #expect(trial.violations.isEmpty, "round \(round)")
      if !trial.violations.isEmpty { return }
    }
    #expect(pageCount > rounds)
  }
}
