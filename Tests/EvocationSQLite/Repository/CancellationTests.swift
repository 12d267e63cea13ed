import Evocation
import EvocationSQLite
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct CancellationTests {
  private let folder: TemporaryFolder
  private let database: SQLiteDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try SQLiteDatabase(path: folder.path())
  }

  /// A model that holds whoever writes the one which says so.
  private struct HeldWriting: Codable, Identifiable, Sendable {
    static let gate = ThreadGate()
    var id: Int
    var isHeld: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(isHeld, forKey: .isHeld)
      guard isHeld else { return }
      Self.gate.arrive()
      Self.gate.waitForRelease()
    }
  }

  /// A model that holds whoever reads the one in the middle.
  private struct HeldReading: Codable, Identifiable, Sendable {
    static let gate = ThreadGate()
    static let isHeld = Lock(false)
    var id: Int

    init(id: Int) {
      self.id = id
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      guard id == 500, Self.isHeld.withLock({ $0 }) else { return }
      Self.gate.arrive()
      Self.gate.waitForRelease()
    }
  }

  @Test func `A cancelled bulk store ends in the middle, and keeps nothing`() async throws {
    let held = try SQLiteRepository<HeldWriting>(database)
    let task = Task {
      try await held.store((0..<100_000).map { HeldWriting(id: $0, isHeld: $0 == 5000) })
    }
    await HeldWriting.gate.waitForArrival()
    task.cancel()
    HeldWriting.gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await held.find(Criteria()).value.isEmpty)
    try await held.store([HeldWriting(id: 1, isHeld: false)])
    #expect(try await held.find(Criteria()).value.count == 1)
    #expect(try await database.check().isEmpty)
  }

  @Test func `A cancelled find ends in the middle, and the next one has all`() async throws {
    let held = try SQLiteRepository<HeldReading>(database)
    try await held.store((0..<1000).map { HeldReading(id: $0) })
    HeldReading.isHeld.withLock { $0 = true }
    let task = Task { try await held.find(Criteria()).value.count }
    await HeldReading.gate.waitForArrival()
    task.cancel()
    HeldReading.isHeld.withLock { $0 = false }
    HeldReading.gate.release()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await held.find(Criteria()).value.count == 1000)
  }

  @Test func `Cancelling ends the wait for a reader`() async throws {
    var configuration = SQLiteDatabase.Configuration()
    configuration.maximumReaderCount = 1
    let database = try SQLiteDatabase(path: folder.path(), configuration: configuration)
    let gate = ThreadGate()
    async let reading: Void = database.read { _ in
      gate.arrive()
      gate.waitForRelease()
    }
    await gate.waitForArrival()
    let waiting = Task { try await database.read { try $0.rows("SELECT 1").count } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.release()
    try await reading
    #expect(try await database.read { try $0.rows("SELECT 1").count } == 1)
  }

  @Test func `Cancelling a call does nothing to the one that comes after it`() async throws {
    for _ in 0..<200 {
      let database = database
      let task = Task { try await database.read { try $0.rows("SELECT 1").count } }
      task.cancel()
      _ = try? await task.value
      #expect(try await database.read { try $0.rows("SELECT 1").count } == 1)
    }
  }
}
