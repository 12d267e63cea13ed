#if os(macOS) || os(Linux)
  import EvocationSQLite
  import EvocationTesting
  import Fixtures
  import Foundation
  import TestSupport
  import TestTraits
  import Testing

  @testable import Evocation
  @testable import SQLiteSupport

  /// A process that follows a service, and is killed at any moment.
  @Suite(.patient) struct LiveKillTests {
    @Test func `A file has what its mark says, however often the process is killed`() async throws {
      var random = Trials.random("kill one who follows a service")
      var rounds = Child.killRounds("kill one who follows a service", 6)
      // A file that grew over all rounds would take longer to compare with each.
      while rounds > 0 {
        try await killFollower(min(rounds, 6), &random)
        rounds -= 6
      }
    }

    /// Kills who follows into one file so many times.
    private func killFollower(_ rounds: Int, _ random: inout SeededGenerator) async throws {
      let folder = try TemporaryFolder()
      var mark = 0
      for _ in 1...rounds {
        let child = try Child.start("live", folder.path())
        // It says so at each change that it sees.
        let wanted = random.count(1...12)
        _ = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let database = try SQLiteDatabase(path: folder.path())
        let notes = try await SQLiteRepository<LiveNote>(database).find(Criteria()).value
        let record = try await SQLiteFetchLedger(database).record(for: "TestSupport.LiveNote?live")
        mark = record?.mark.flatMap { Int($0) } ?? 0
        let held = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.text) })
        #expect(held == NumberedService.notes(upTo: mark))
        await database.close()
      }
      #expect(mark > 0)
    }
  }
#endif
