import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import EvocationStores
@testable import SQLiteSupport

@Suite(.patient) struct SQLiteOutboxTests {
  private struct Wheel: SQLiteModel, Equatable {
    static let key: [Criteria.Key] = ["car", "place"]

    var car: Int
    var place: String
    var size = 1.5
    var id: String { "\(car)/\(place)" }
  }

  private struct Tagged<ID: Codable & Hashable & Sendable>: Codable, Identifiable, Sendable {
    var id: ID
    var name: String
  }

  private let folder: TemporaryFolder
  private let database: SQLiteDatabase
  private let pieces: SQLiteRepository<Piece>
  private let cars: SQLiteRepository<Car>

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
    pieces = try SQLiteRepository<Piece>(database, table: "Pieces")
    cars = try SQLiteRepository<Car>(database)
  }

  /// Counts calls from any thread.
  private final class Count: Sendable {
    private let count = Lock(0)
    private let calls = Broadcast<Void>.Buffer(capacity: 1)

    var value: Int { count.withLock { $0 } }

    func add() {
      count.withLock { $0 += 1 }
      calls.put(())
    }

    /// Waits until there were so many.
    func reaches(_ least: Int) async {
      while value < least, !Task.isCancelled {
        await calls.arrival()
        _ = calls.takeAll()
      }
    }
  }

  private func queue<Model>(
    _ action: StoreWrite<Model>.Change, _ repository: SQLiteRepository<Model>
  ) async throws {
    try await repository.commit(StoreWrite([action], outbox: OutboxNote(queuedAt: Date())))
  }

  @Test func `A queue is named by its table, lies in its database, and outlives the process`()
    throws
  {
    #expect(pieces.queueName == "pieces")
    #expect(pieces.storeIdentity == cars.storeIdentity)
    #expect(pieces.keepsEntries)
    let memory = try SQLiteRepository<Piece>(.inMemory())
    #expect(memory.storeIdentity != pieces.storeIdentity)
    #expect(!memory.keepsEntries)
  }

  @Test func `A repository says whether its queue had entries when it was made`() async throws {
    #expect(!pieces.heldEntries)
    try await queue(.store([Piece(id: 1, name: "a")]), pieces)
    await database.close()
    for holds in [true, false] {
      let reopened = try SQLiteDatabase(path: folder.path())
      let again = try SQLiteRepository<Piece>(reopened, table: "Pieces")
      #expect(again.heldEntries == holds)
      #expect(try SQLiteRepository<Car>(reopened).heldEntries == false)
      try await again.transact(isShort: true) { try $0.delete(1) }
      await reopened.close()
    }
  }

  @Test func `Who observes the queue is told of each commit that changed it, and of no other`()
    async throws
  {
    let count = Count()
    let observation = pieces.observeQueue { count.add() }
    try await pieces.store([Piece(id: 1, name: "a")])
    try await pieces.look(isShort: true) { _ = try $0.entries.count() }
    try await pieces.commit(
      StoreWrite([.storeOrUpdate([Piece(id: 1, name: "b")])], source: .remote))
    #expect(count.value == 0)
    try await queue(.update([Piece(id: 1, name: "c")]), pieces)
    #expect(count.value == 1)
    try await queue(.store([Car(id: 1, name: "a")]), cars)
    #expect(count.value == 2)
    // What the remote said becomes the base of the entry.
    try await pieces.commit(
      StoreWrite([.storeOrUpdate([Piece(id: 1, name: "d")])], source: .remote))
    #expect(count.value == 3)
    #expect(try await pieces.find(Criteria()).value.map(\.name) == ["c"])
    let refused = await #expect(throws: EvocationError.self) {
      try await queue(.store([Piece(id: 1, name: "e")]), pieces)
    }
    #expect(refused?.description.contains("1") == true)
    #expect(count.value == 3)
    try await database.write {
      _ = try $0.execute("DELETE FROM evocation_entries WHERE position = 2")
    }
    #expect(count.value == 4)
    let other = try SQLiteRepository<Car>(SQLiteDatabase(path: folder.path()))
    try await queue(.store([Car(id: 2, name: "b")]), other)
    await count.reaches(5)
    observation.cancel()
    let before = count.value
    try await queue(.update([Piece(id: 1, name: "f")]), pieces)
    #expect(count.value == before)
    await other.database.close()
  }

  @Test func `The file is watched from when the queue is observed, and not before`() async throws {
    try await queue(.store([Piece(id: 1, name: "a")]), pieces)
    #expect(!database.watch.isWatching)
    let observation = pieces.observeQueue {}
    #expect(database.watch.isWatching)
    observation.cancel()
    #expect(!database.watch.isWatching)
  }

  @Test func `One transaction changes several repositories, and each one's observers are told`()
    async throws
  {
    let told = Lock<[String]>([])
    let observations = [
      pieces.observeChanges { change in told.withLock { $0.append("\(change.extent)") } },
      cars.observeChanges { change in told.withLock { $0.append("\(change.extent)") } },
    ]
    let (cars, pieces) = (cars, pieces)
    let memory = InMemoryRepository<Car>()
    let foreign = try SQLiteRepository<Car>(.inMemory())
    try await pieces.transact(isShort: true) { transaction in
      #expect(transaction.transaction(for: memory) == nil)
      #expect(transaction.transaction(for: foreign) == nil)
      let sibling = try #require(transaction.transaction(for: cars))
      #expect(try sibling.insert(Car(id: 1, name: "a")))
      try sibling.append(
        Outbox.Entry(
          id: "x", kind: .store, model: Car(id: 1, name: "a"), base: nil, queuedAt: Date()))
      let same = try #require(sibling.transaction(for: pieces))
      try same.put(Piece(id: 1, name: "a"), before: nil)
      try transaction.put(Piece(id: 1, name: "b"), before: same.held(Piece(id: 1, name: "")))
      #expect(try transaction.entries.ends(of: Outbox.Reference(queue: "car", key: "1")) == 1...1)
      #expect(told.withLock { $0.isEmpty })
    }
    #expect(try await cars.find(Criteria()).value.map(\.id) == [1])
    let expected: [String] = [
      "\(RepositoryChange<Piece>.models(stored: [Piece(id: 1, name: "b")], version: nil).extent)",
      "\(RepositoryChange<Car>.models(stored: [Car(id: 1, name: "a")], version: nil).extent)",
    ]
    #expect(told.withLock { $0 } == expected)
    withExtendedLifetime(observations) {}
  }

  @Test func `A read of the queue does not wait for a transaction`() async throws {
    try await queue(.store([Piece(id: 1, name: "a")]), pieces)
    let (isInside, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let pieces = pieces
    let write = Task {
      try await pieces.transact(isShort: false) { transaction in
        try transaction.delete(1)
        isInside.signal()
        isRead.wait()
      }
    }
    await Self.wait(isInside)
    for isShort in [true, false] {
      #expect(try await pieces.look(isShort: isShort) { try $0.isEmpty } == false)
    }
    isRead.signal()
    try await write.value
    #expect(try await pieces.look(isShort: true) { try $0.isEmpty })
  }

  private static func wait(_ semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        semaphore.wait()
        continuation.resume()
      }
    }
  }

  @Test func `The stamp of a write is kept with its entries`() async throws {
    let ledger = SQLiteFetchLedger(database)
    let record = FetchRecord(fetchedAt: Date(timeIntervalSinceReferenceDate: 5), size: 1)
    let stamp = FetchStamp(tag: "pieces", record: record, ledger: ledger)
    let commit = try await pieces.commit(
      StoreWrite(
        [.store([Piece(id: 1, name: "a")])], stamp: stamp, outbox: OutboxNote(queuedAt: Date())))
    #expect(commit.isPending)
    #expect(commit.record == record)
    #expect(commit.version == (try await pieces.snapshot(Criteria()).version))
    #expect(try await ledger.record(for: "pieces") == record)
  }

  @Test(arguments: [1, 256, 257, 600])
  func `Models with entries are found among others, however many there are`(count: Int) async throws
  {
    try await pieces.store((1_000..<1_050).map { Piece(id: $0, name: "a") })
    let unsent = (0..<count).map { Piece(id: $0, name: $0.isMultiple(of: 2) ? "a" : "b") }
    try await queue(.store(unsent), pieces)
    let criteria = (Criteria.Key("name") == "a").sorted(by: "id", descending: true).limit(1)
    let found = try await pieces.look(isShort: false) { try $0.unsent(matching: criteria) }
    #expect(found == unsent.filter { $0.name == "a" }.reversed())
    await #expect(throws: EvocationError.self) {
      try await pieces.look(isShort: false) { try $0.unsent(matching: ["nmae": "a"]) }
    }
  }

  @Test func `Models of every kind of id are found by their entries`() async throws {
    try await expectUnsent([1, -5, Int.max], "ints")
    try await expectUnsent(["", "'a'", "7", "\0ä"], "texts")
    try await expectUnsent((0..<3).map { _ in UUID() }, "uuids")
    try await expectUnsent([UInt64.max, 0], "large")
    try await expectUnsent([0.5, 3, -.infinity], "reals")
    let wheels = try SQLiteRepository<Wheel>(database)
    try await wheels.store([Wheel(car: 2, place: "left")])
    try await queue(.store([Wheel(car: 1, place: "left")]), wheels)
    let found = try await wheels.look(isShort: false) { try $0.unsent(matching: Criteria()) }
    #expect(found == [Wheel(car: 1, place: "left")])
    try await wheels.transact(isShort: true) { transaction in
      let entry = try #require(transaction.records(of: transaction.key(of: found[0])).first?.entry)
      #expect(
        try transaction.acknowledge(entry, answer: VersionedModel(nil), isRepeated: false) != nil)
    }
  }

  private func expectUnsent<ID: Codable & Hashable & Sendable>(
    _ ids: [ID], _ table: String
  ) async throws {
    let repository = try SQLiteRepository<Tagged<ID>>(database, table: table)
    try await repository.store([Tagged(id: ids[0], name: "sent")])
    try await queue(.store(ids.dropFirst().map { Tagged(id: $0, name: "unsent") }), repository)
    let found = try await repository.look(isShort: false) { try $0.unsent(matching: Criteria()) }
    #expect(Set(found.map(\.id)) == Set(ids.dropFirst()), "\(table)")
    let entries = try await repository.look(isShort: false) {
      try $0.records(after: .min, limit: 10)
    }
    // Not by a key path, whose values of a generic type overlap in memory (AddressSanitizer).
    #expect(entries.compactMap { $0.entry?.model.id } == Array(ids.dropFirst()), "\(table)")
  }

  @Test func `A trigger that leaves a model out fails the write, and nothing is queued`()
    async throws
  {
    try await database.write {
      _ = try $0.execute(
        "CREATE TRIGGER t BEFORE INSERT ON pieces BEGIN SELECT RAISE(IGNORE); END")
    }
    let error = await #expect(throws: SQLiteError.self) {
      try await queue(.store([Piece(id: 1, name: "a")]), pieces)
    }
    #expect(error?.code == .constraint)
    #expect(try await pieces.look(isShort: true) { try $0.isEmpty })
  }
}
