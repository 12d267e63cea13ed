#if os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import EvocationTesting
  import Fixtures
  import TestSupport
  import TestTraits
  import Testing

  /// Refreshes of all pages of a list, whose processes are killed at each boundary.
  @Suite(.patient) struct ListKillTests {
    /// Before each of three pages is fetched, and before, in and after the one commit.
    private static let stops =
      (1...3).map { SendingTask.Stop(.beforeSending, passage: $0) }
      + [SendingTask.Stop(.beforeCommit, passage: 1)]
      + [1, 2, 4, 7].map { SendingTask.Stop(.inCommit, passage: $0) }
      + [SendingTask.Stop(.afterCommit, passage: 1)]
    private static let ids = 1...5

    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    private func start(_ number: Int, _ stop: SendingTask.Stop?) throws -> ChildProcess {
      try Child.send(
        SendingTask(port: 0, seed: 0, ids: Self.ids, firstNumber: number, stop: stop),
        folder.path(), by: "refresh")
    }

    @Test
    func `The file then has the old list or the new one, whole, and the next refresh is whole`()
      async throws
    {
      var present = 1
      #expect(await (try start(present, nil)).text.hasSuffix("ends\n"))
      for round in 0..<Child.killRounds("kill a refresh", Self.stops.count) {
        let stop = Self.stops[round % Self.stops.count]
        let comment: Comment = "round \(round), \(stop.boundary.rawValue), \(stop.passage)"
        let line = "at \(stop.boundary.rawValue)\n"
        let child = try start(present + 1, stop)
        var text = await child.text { $0.contains(line) }
        child.kill()
        text += await child.text
        let pages = stop.boundary == .beforeSending ? stop.passage : 3
        let asked = (0..<pages).map { "asks from \($0 * 2)\n" }.joined()
        #expect(text == asked + line, comment)
        if stop.boundary == .afterCommit { present += 1 }
        try await check(present, comment)
        let whole = await (try start(present + 1, nil)).text
        #expect(whole == "asks from 0\nasks from 2\nasks from 4\nsuccessful\nends\n", comment)
        present += 1
        try await check(present, comment)
      }
    }

    /// Checks that the list and the models are those of one refresh, and that nothing else is there.
    private func check(_ number: Int, _ comment: Comment) async throws {
      let database = try SQLiteDatabase(path: folder.path())
      let local = try SQLiteRepository<NumberedNote>(database)
      let expected = Self.ids.map { NumberedNote(id: $0, number: number) }
      let list = try await local.part(of: "TestSupport.NumberedNote?list?{}", in: nil)
      #expect(list?.models == expected, comment)
      #expect(try await local.find(Criteria()).value == expected, comment)
      let tables = try await database.read { db in
        try db.rows("SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE '%list%'")
      }
      #expect(tables.first?["count"] == .integer(0), comment)
      #expect(try await database.check().isEmpty, comment)
      await database.close()
    }
  }
#endif
