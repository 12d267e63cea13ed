import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What an outbox does with numbers and keys in its tables that nobody can have written.
@Suite(.patient) struct OutboxDamageTests {
  /// What is wrong in a table with a column `position` and a column `key`.
  enum Damage: CaseIterable, Sendable {
    case greatestPosition, leastPosition, negativePosition, onePosition
    case noKey, emptyKey, foreignKey, numberAsKey, bytesAsKey

    /// A statement on a table; the last row is damaged alone, or all rows.
    func sql(_ table: String, all: Bool) -> String {
      let change =
        switch self {
        case .greatestPosition: "position = 9223372036854775807"
        case .leastPosition: "position = -9223372036854775808"
        case .negativePosition: "position = -1 - position"
        case .onePosition: "position = 7"
        case .noKey: "key = NULL"
        case .emptyKey: "key = ''"
        case .foreignKey: "key = 'nobody'"
        case .numberAsKey: "key = 7.5"
        case .bytesAsKey: "key = x'00ff'"
        }
      let rows = all ? "" : " WHERE position = (SELECT max(position) FROM \(table))"
      return "UPDATE OR IGNORE \(table) SET \(change)\(rows)"
    }
  }

  /// A clock that stands, and counts how often its time is read: what spins reads it on and on.
  private final class CountingClock: Clock {
    let base = ManualClock()
    let readings = Lock(0)

    var now: ManualClock.Instant {
      readings.withLock { $0 += 1 }
      return base.now
    }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  /// More often than a flush of so few entries reads its clock, by far.
  private static let tooOften = 5_000

  /// Damages the table of a number, and flushes; false where there is no such table.
  private func flush(_ damage: Damage, table index: Int, all: Bool) async throws -> Bool {
    let folder = try TemporaryFolder()
    let database = try SQLiteDatabase(path: folder.path())
    let (clock, service) = (CountingClock(), ScriptedService<Memo>())
    let evocation = Evocation.flushedByHand(clock: clock)
    evocation.register(for: Memo.self).repository(remote: service)
      .repository(local: try SQLiteRepository<Memo>(database)).strategy(.offlineFirst)
    for id in 1...18 { _ = await evocation.storeOne(Memo(id: id)) }
    let tables = try await database.entryTables()
    guard index < tables.count else { return false }
    // What the table itself refuses can not be wrong in it.
    _ = try? await database.write { try $0.execute(damage.sql(tables[index], all: all)) }

    let result = Lock<Outbox.FlushResult?>(nil)
    let flush = Task {
      let flushed = await evocation.outbox.flush()
      result.withLock { $0 = flushed }
    }
    while result.withLock({ $0 == nil }), clock.readings.withLock({ $0 < Self.tooOften }),
      !Task.isCancelled
    {
      await Task.yield()
    }
    let what = Comment(rawValue: "\(damage), \(all ? "all" : "one"), \(tables[index])")
    #expect(result.withLock { $0 != nil }, what)
    let ids = service.requests.map(\.model.id)
    if !all { #expect(Set(ids).count >= 17, what) }
    #expect(Set(ids).count == ids.count, what)
    evocation.outbox.pause()
    flush.cancel()
    await flush.value
    await database.close()
    return true
  }

  @Test(arguments: Damage.allCases, [true, false])
  func `what is damaged neither spins nor keeps other entries from being sent`(
    damage: Damage, all: Bool
  ) async throws {
    var index = 0
    while try await flush(damage, table: index, all: all) { index += 1 }
    #expect(index > 0)
  }
}
