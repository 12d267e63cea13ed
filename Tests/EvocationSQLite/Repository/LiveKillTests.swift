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
      let folder = try TemporaryFolder()
      let path = folder.path()
      var random = SeededGenerator("kill one who follows a service")
      var mark = 0
      for _ in 1...Child.killRounds(6) {
        let child = try Child.start("live", path)
        // It says so at each change that it sees.
        let wanted = random.count(1...12)
        _ = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let database = try SQLiteDatabase(path: path)
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
