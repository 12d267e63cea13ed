import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// What a service said about a refused write, in the file.
@Suite(.patient) struct OutboxFailureFileTests {
  private static let answer = #"""
    {"message": "The given data was invalid.", "errors": {"text": ["The text is too long."]}}
    """#

  private let folder: TemporaryFolder
  private let lines = Lock<[String]>([])
  private var path: String { folder.path() }

  /// A log of everything that may be logged.
  private var log: Evocation.Log {
    Evocation.Log(levels: Set(Evocation.Log.Level.allCases), showsValues: true) {
      [lines] line in lines.withLock { $0.append("\(line)") }
    }
  }

  init() throws { folder = try TemporaryFolder() }

  private func evocation(
    _ database: SQLiteDatabase, _ url: URL, log: Evocation.Log = .off
  ) throws -> Evocation {
    var http = HTTPService.Configuration()
    http.log = log
    let evocation = Evocation(
      configuration: .init(
        clock: ManualClock(), log: log, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: NumberedNote.self)
      .repository(
        remote: HTTPRepository<NumberedNote>(HTTPService(url, configuration: http), "notes")
      )
      .repository(local: try SQLiteRepository<NumberedNote>(database)).strategy(.offlineFirst)
    return evocation
  }

  private func expectWords(_ failure: Outbox.Failure?) {
    #expect(failure?.kind == .permanent && failure?.status == 422)
    #expect(failure?.message == "The given data was invalid.")
    #expect(failure?.fields == ["text": ["The text is too long."]])
    #expect(
      failure?.reason
        == "POST /notes was refused with 422; read what the service says in `message` and `fields`."
    )
  }

  #if os(macOS) || os(Linux)
    @Test func `A restart of the app keeps it, until the write is sent again`() async throws {
      let service = try await Service.start()
      try await service.control(.status(422, body: Self.answer))
      let log = log
      let first = try SQLiteDatabase(path: path, configuration: .init(log: log))
      let app = try evocation(first, service.url, log: log)
      _ = await app.storeOne(NumberedNote(id: 1, number: 1))
      #expect(await app.outbox.flush() == Outbox.FlushResult(sent: 0, left: 0, parked: 1))
      expectWords(try await app.outbox.parked(NumberedNote.self).first?.failure)
      await first.close()
      log.flush()
      let logged = lines.withLock { $0 }
      #expect(logged.contains { $0.contains("422") } && logged.contains { $0.contains("UPDATE") })
      #expect(!logged.contains { $0.contains("too long") || $0.contains("invalid") })

      let second = try SQLiteDatabase(path: path)
      let again = try evocation(second, service.url)
      let entry = try #require(try await again.outbox.parked(NumberedNote.self).first)
      expectWords(entry.failure)
      try await again.outbox.retry(entry)
      let pending = try await again.outbox.entries(of: NumberedNote.self)
      #expect(pending.map(\.lastFailure) == [nil])
      // The user's words are nowhere in the file any more.
      #expect(
        try await second.read { try $0.rows("SELECT words FROM evocation_entries").map(\.values) }
          == [[.null]])
      await second.close()
    }

    @Test func `What another process was told is read by this one, which had the file open before`()
      async throws
    {
      let service = try await Service.start()
      try await service.control(.status(422, body: Self.answer))
      let database = try SQLiteDatabase(path: path)
      let app = try evocation(database, service.url)
      _ = await app.storeOne(NumberedNote(id: 1, number: 1))
      let task = SendingTask(
        port: UInt16(service.port), seed: 0, ids: 1...1, firstNumber: nil)
      let child = try Child.send(task, path, by: "send")
      #expect(await child.text.contains("sent all but 1"))
      expectWords(try await app.outbox.parked(NumberedNote.self).first?.failure)
      await database.close()
    }
  #endif

  /// Makes a file as a version without words has left it, with a parked entry.
  private func makeOlderFile() async throws {
    let database = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(database)
    try await pieces.commit(
      StoreWrite([.store([Piece(id: 1, name: "a")])], outbox: OutboxNote(queuedAt: Date())))
    try await park(pieces, nil)
    try await database.write {
      _ = try $0.execute("ALTER TABLE evocation_entries DROP COLUMN words")
    }
    await database.close()
  }

  private func park(_ pieces: SQLiteRepository<Piece>, _ words: ServiceWords?) async throws {
    try await pieces.transact(isShort: true) { transaction in
      guard var entry = try transaction.record(at: 1)?.entry else { return }
      (entry.state, entry.words) = (.parked(.permanent, reason: "no"), words)
      try transaction.setState(of: entry)
    }
  }

  private func failure(_ pieces: SQLiteRepository<Piece>) async throws -> Outbox.Failure? {
    try await pieces.look(isShort: true) { try $0.record(at: 1)?.entry?.failure }
  }

  @Test func `A file of an earlier version keeps its entries, and takes the words from then on`()
    async throws
  {
    try await makeOlderFile()
    let reader = try SQLiteDatabase(path: path, configuration: .init(isReadOnly: true))
    let read = try SQLiteRepository<Piece>(reader)
    #expect(try await failure(read) == Outbox.Failure(reason: "no"))
    let database = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(database)
    #expect(try await failure(pieces) == Outbox.Failure(reason: "no"))
    let words = ServiceWords(status: 422, fields: ["name": ["no"]])
    // A transaction that is undone takes the column with it.
    await #expect(throws: RolledBack.self) {
      try await pieces.transact(isShort: true) { transaction in
        try transaction.entries.take(1)
        throw RolledBack()
      }
    }
    try await park(pieces, words)
    let known = Outbox.Failure(reason: "no", status: 422, fields: ["name": ["no"]])
    #expect(try await failure(pieces) == known)
    #expect(try await failure(read) == known)
    await reader.close()
    await database.close()
  }

  private struct RolledBack: Error {}

  @Test func `Words that are none leave the entry as it is`() async throws {
    let database = try SQLiteDatabase(path: path)
    let pieces = try SQLiteRepository<Piece>(database)
    try await pieces.commit(
      StoreWrite([.store([Piece(id: 1, name: "a")])], outbox: OutboxNote(queuedAt: Date())))
    try await park(pieces, ServiceWords(message: "no"))
    for (change, message) in [
      ("'{\"message\": \"' || replace(hex(zeroblob(1000000)), '0', 'a') || '\"}'", 4_096),
      ("'['", nil), ("x'00ff'", nil), ("7", nil), ("'{\"fields\": 3}'", nil), ("'{}'", nil),
    ] as [(String, Int?)] {
      try await database.write {
        _ = try $0.execute("UPDATE evocation_entries SET words = \(change)")
      }
      let failure = try #require(try await failure(pieces))
      #expect(failure.reason == "no" && failure.message?.utf8.count == message, "\(change)")
    }
    await database.close()
  }
}
