#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import EvocationTesting
  import Fixtures
  import Foundation
  import TestSupport
  import TestTraits
  import Testing

  @Suite(.patient) struct KillTests {
    private struct Note: Codable, Identifiable, Sendable {
      let id: Int
      let text: String
    }

    @Test func `What was answered outlives a process that is killed`() async throws {
      let folder = try TemporaryFolder()
      var random = Trials.random("kill")
      var told: Set<Int> = []
      for round in 0..<Child.killRounds("kill", 6) {
        let child = try Child.start("store", folder.path())
        let wanted = random.count(1...400)
        let before = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let all = before + (await child.text)
        // The last line may have been cut off; what it would have said was not said.
        let lines = all.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        told.formUnion(lines.compactMap { Int($0) })
        #expect(lines.count >= wanted, "round \(round): \(all.suffix(200))")

        let database = try SQLiteDatabase(path: folder.path())
        let notes = try await SQLiteRepository<Note>(database).find(Criteria()).value
        #expect(told.isSubset(of: notes.map(\.id)), "round \(round)")
        // One more may have been stored without that its answer was heard, each round.
        #expect(notes.map(\.id) == Array(0..<notes.count), "round \(round)")
        #expect(notes.allSatisfy { $0.text.count == $0.id % 3000 }, "round \(round)")
        #expect(try await database.check().isEmpty, "round \(round)")
        await database.close()
      }
    }

    @Test
    func `A write and its entries outlive it together, and none that was answered is missing`()
      async throws
    {
      var random = Trials.random("kill a queue")
      var (rounds, writes) = (Child.killRounds("kill a queue", 8), 0)
      // A file that grew over all rounds would take longer to compare with each.
      while rounds > 0 {
        writes += try await killQueue(min(rounds, 8), &random)
        rounds -= 8
      }
      print("kill a queue: \(writes) writes")
    }

    /// Kills who writes to one file so many times, and gives how many writes that file then has.
    private func killQueue(
      _ rounds: Int, _ random: inout SeededGenerator
    ) async throws -> Int {
      let (folder, reference) = (try TemporaryFolder(), InMemoryRepository<QueuedNote>())
      var count = 0
      for round in 0..<rounds {
        let child = try Child.start("queue", folder.path())
        let wanted = random.count(1...150)
        let before = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let told = (before + (await child.text)).split(separator: "\n").dropLast()

        let database = try SQLiteDatabase(path: folder.path())
        let notes = try SQLiteRepository<QueuedNote>(database)
        let present = try await QueuedWrites.count(in: notes)
        #expect(present >= told.last.flatMap { Int($0) } ?? 0, "round \(round)")
        while count < present {
          count += 1
          try await QueuedWrites.write(count, to: reference)
        }
        let (found, expected) = (
          try await QueuedWrites.state(of: notes), try await QueuedWrites.state(of: reference)
        )
        #expect(found.notes == expected.notes, "round \(round)")
        #expect(found.entries == expected.entries, "round \(round)")
        #expect(try await database.check().isEmpty, "round \(round)")
        await database.close()
      }
      return count
    }

    @Test func `Models and the stamp that says when they were fetched outlive it together`()
      async throws
    {
      let folder = try TemporaryFolder()
      var random = Trials.random("kill a fetch")
      for round in 0..<Child.killRounds("kill a fetch", 8) {
        let child = try Child.start("stamp", folder.path())
        let wanted = random.count(1...150)
        let before = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let told = (before + (await child.text)).split(separator: "\n").dropLast()

        let database = try SQLiteDatabase(path: folder.path())
        let notes = try SQLiteRepository<Note>(database)
        let number = try #require(try await notes.fetchLedger?.record(for: "notes")).size
        let models = try await notes.find(Criteria()).value
        #expect(models.map(\.id) == Array(number..<number + 40), "round \(round)")
        #expect(models.allSatisfy { $0.text == "\(number)" }, "round \(round)")
        #expect(number >= told.last.flatMap { Int($0) } ?? 0, "round \(round)")
        #expect(try await database.check().isEmpty, "round \(round)")
        await database.close()
      }
    }

    @Test func `A list stands where it was when the app is killed between its pages`()
      async throws
    {
      let folder = try TemporaryFolder()
      var random = Trials.random("kill a list")
      var last = 0
      for round in 0..<Child.killRounds("kill a list", 8) {
        let child = try Child.start("page", folder.path())
        let wanted = random.count(1...60)
        let before = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= wanted }
        child.kill()
        let told = (before + (await child.text)).split(separator: "\n").dropLast()
        let least = told.last.flatMap { Int($0) } ?? 0

        let words = await (try Child.start("stand", folder.path())).text.split(
          separator: " ")
        let count = try #require(words.first.flatMap { Int($0) }, "round \(round)")
        #expect(words.dropFirst() == ["true", "true\n"], "round \(round)")
        #expect(count >= max(least, last), "round \(round)")
        #expect(count % 7 == 0, "round \(round)")
        last = count
      }
      #expect(last > 7 * 8)
    }
  }
#endif
