import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct SQLiteListTrialTests {
  @Test func `Any operations on a shifting list leave in a file what a plain model of it says`()
    async throws
  {
    var random = Trials.random("lists in SQLite")
    var pageCount = 0
    for round in 0..<Trials.count(50) {
      let folder = try TemporaryFolder()
      let path = folder.path()
      let database = Lock(try SQLiteDatabase(path: path))
      let first = try SQLiteRepository<Listed>(database.withLock { $0 })
      let one = SeededGenerator(seed: random.next())
      let trial = ListTrial(one, local: first) {
        await database.withLock { $0 }.close()
        let next = try SQLiteDatabase(path: path)
        database.withLock { $0 = next }
        return try SQLiteRepository<Listed>(next)
      }
      try await trial.run(steps: 16)
      pageCount += trial.pageCount
      #expect(trial.violations.isEmpty, "round \(round)")
      await database.withLock { $0 }.close()
      if !trial.violations.isEmpty { return }
    }
    #expect(pageCount > 50)
  }
}
