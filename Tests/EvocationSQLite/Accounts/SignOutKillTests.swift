#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import Fixtures
  import Foundation
  import TestSupport
  import Testing

  /// A process that is killed while it signs out of three files, or while it finishes that.
  @Suite(.serialized, .timeLimit(.minutes(20))) struct SignOutKillTests {
    private static let orders = [
      [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
    ]

    private let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    private func paths(_ name: String) -> [String] {
      (0...2).map { folder.path("\(name)/\($0).sqlite") }
    }

    /// Makes a folder with what another one has.
    private func copy(_ name: String? = nil, to other: String) throws -> [String] {
      let path = folder.path(other)
      try? FileManager.default.removeItem(atPath: path)
      if let name {
        try FileManager.default.copyItem(atPath: folder.path(name), toPath: path)
      } else {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false)
      }
      return paths(other)
    }

    /// Runs a process until it is killed at its end, and returns the last thing that it said.
    private func last(_ task: SigningOutTask) async throws -> String {
      let child = try Child.signOut(task)
      let text = await child.text
      child.kill()
      return text.split(separator: "\n").last.map { "\($0)" } ?? ""
    }

    /// What a start shows.
    private struct Shown: Equatable {
      var models = [0, 0, 0]
      var marked = 0
    }

    /// Registers files in an order, and stores one more model in each, as a next user does.
    private func shown(_ order: [Int], _ paths: [String], id: Int) async throws -> Shown {
      let evocation = Evocation()
      var (shown, databases) = (Shown(), [SQLiteDatabase]())
      for file in order {
        let database = try SQLiteDatabase(path: paths[file])
        databases.append(database)
        try register(SigningOutTask.models[file], in: database, evocation)
      }
      for file in order {
        shown.models[file] = await count(SigningOutTask.models[file], evocation, id)
      }
      for database in databases {
        let sql = "SELECT 1 FROM evocation_sign_outs WHERE intent IS NOT NULL OR isDone = 0"
        shown.marked += try await database.read { try $0.rows(sql).count }
        await database.close()
      }
      return shown
    }

    private func register<Model: SigningOutTask.Model>(
      _ model: Model.Type, in database: SQLiteDatabase, _ evocation: Evocation
    ) throws {
      try evocation.register(model, local: SQLiteRepository<Model>(database))
    }

    private func count<Model: SigningOutTask.Model>(
      _ model: Model.Type, _ evocation: Evocation, _ id: Int
    ) async -> Int {
      let count = await evocation.find(model: model).data?.count ?? -1
      #expect(await evocation.storeOne(Model(id: id)).error == nil)
      return count
    }

    /// Starts, and expects that nothing of the former user is shown.
    ///
    /// If it starts again, it expects that all of the next user is.
    private func expectFinished(
      _ name: String, _ order: [Int], after step: String, startsAgain: Bool
    ) async throws {
      let paths = try copy(name, to: "start")
      #expect(try await shown(order, paths, id: 101) == Shown(), "\(order) after \(step)")
      guard startsAgain else { return }
      let next = try await shown(order.reversed(), paths, id: 102)
      #expect(next == Shown(models: [1, 1, 1]), "\(order) after \(step)")
    }

    @Test func `At whichever step it is killed, the next start shows nothing of the user`()
      async throws
    {
      var steps: [String] = []
      while steps.last != "signed out", steps.count < 20 {
        let paths = try copy(to: "killed")
        steps.append(try await last(SigningOutTask(paths: paths, end: steps.count + 1)))
        for order in Self.orders {
          // No file has a mark yet.
          guard steps.count > 1 else {
            let paths = try copy("killed", to: "start")
            #expect(try await shown(order, paths, id: 101).models == [50, 50, 50])
            continue
          }
          try await expectFinished(
            "killed", order, after: steps[steps.count - 1],
            startsAgain: order == Self.orders[steps.count % 6])
        }
      }
      let expected = ["Mark", "Empty"].flatMap { step in
        (0...2).flatMap { ["before\(step) of \($0)", "after\(step) of \($0)"] }
      }
      #expect(steps == expected + ["signed out"])
    }

    @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0]])
    func `At whichever step of finishing it is killed too, the next start finishes it`(
      order: [Int]
    ) async throws {
      // The first file has a mark, and the others have none.
      _ = try await last(SigningOutTask(paths: copy(to: "killed"), end: 2))
      var (end, step) = (0, "")
      while step != "registered", end < 40 {
        end += 1
        let paths = try copy("killed", to: "again")
        step = try await last(SigningOutTask(paths: paths, order: order, end: end))
        try await expectFinished(
          "again", end % 2 == 0 ? order : order.reversed(), after: step, startsAgain: end % 3 == 0)
      }
      #expect(end > 4 && step == "registered")
    }

    @Test func `A file that is registered in a later start is emptied then, and no other one`()
      async throws
    {
      let paths = try copy(to: "killed")
      _ = try await last(SigningOutTask(paths: paths, end: 2))
      #expect(try await shown([1, 0], paths, id: 101) == Shown(marked: 2))
      #expect(try await shown([0, 1], paths, id: 102) == Shown(models: [1, 1, 0], marked: 2))
      #expect(try await shown([2, 1, 0], paths, id: 103) == Shown(models: [2, 2, 0]))
    }

    @Test
    func `If a file is never registered again, the others keep what they have, and new ones too`()
      async throws
    {
      var paths = try copy(to: "killed")
      _ = try await last(SigningOutTask(paths: paths, end: 2))
      #expect(try await shown([0, 1], paths, id: 101).models == [0, 0, 0])
      // Another account.
      paths[1] = folder.path("other.sqlite")
      let other = try SQLiteRepository<SigningOutTask.Note>(SQLiteDatabase(path: paths[1]))
      try await other.store([SigningOutTask.Note(id: 7)])
      await other.database.close()
      for id in 102...104 {
        #expect(try await shown([1, 0], paths, id: id).models == [id - 101, id - 101, 0])
      }
    }

    @Test func `Observers of a file see it become empty when one with the mark is registered`()
      async throws
    {
      let paths = try copy(to: "killed")
      _ = try await last(SigningOutTask(paths: paths, end: 2))
      let evocation = Evocation()
      let databases = try paths.map { try SQLiteDatabase(path: $0) }
      try register(SigningOutTask.Tag.self, in: databases[2], evocation)
      var answers = evocation.observe(model: SigningOutTask.Tag.self).makeAsyncIterator()
      #expect(await answers.next(isolation: nil)?.data?.count == 50)
      try register(SigningOutTask.Card.self, in: databases[0], evocation)
      #expect(await answers.next(isolation: nil)?.data == [])
      for database in databases { await database.close() }
    }

    /// The second file refuses to be emptied; it is registered before the one with the mark, or after it.
    @Test(arguments: [false, true])
    func `What cannot be emptied is not shown, and the log says so`(isFirst: Bool) async throws {
      let paths = try copy(to: "killed")
      _ = try await last(SigningOutTask(paths: paths, end: 2))
      let files = try paths.prefix(2).map { try SQLiteDatabase(path: $0) }
      try await files[1].write {
        try $0.execute(
          "CREATE TRIGGER keeps BEFORE DELETE ON note BEGIN SELECT RAISE(ABORT, 'kept'); END")
      }
      let lines = Lock<[String]>([])
      let log = Evocation.Log { line in
        if case .notice(let text) = line { lines.withLock { $0.append(text) } }
      }
      let evocation = Evocation(configuration: .init(log: log))
      func register(_ file: Int) throws {
        try self.register(SigningOutTask.models[file], in: files[file], evocation)
      }
      try register(isFirst ? 1 : 0)
      let error = #expect(throws: SQLiteError.self) { try register(isFirst ? 0 : 1) }
      #expect(error?.code == .constraint)
      try await eventually("it is closed") {
        await evocation.find(model: SigningOutTask.Note.self).data == nil
      }
      // The same without an error.
      let cards = try SQLiteRepository<SigningOutTask.Card>(files[0])
      evocation.register(for: SigningOutTask.Card.self).repository(local: cards)
      log.flush()
      let sentence =
        "Setting the local repository of Card failed: a sign-out that was cut short could not be "
        + "finished; start the app again when the cause is gone: "
      #expect(lines.withLock { $0 } == [sentence + "SQLiteError (permanent)"])
      for database in files { await database.close() }
    }
  }
#endif
