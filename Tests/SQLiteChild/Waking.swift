import Evocation
import EvocationSQLite
import Foundation

/// Runs long queries, more than there are cores, and measures how late tasks wake meanwhile.
///
/// It says for each way to query how long the shortest query and the longest sleep took, in
/// milliseconds.
struct Waking {
  private static let sleep = Duration.milliseconds(20)
  private static let atLeast = Duration.milliseconds(900)
  let path: String

  func run() async throws {
    let queries = ProcessInfo.processInfo.activeProcessorCount + 2
    var configuration = SQLiteDatabase.Configuration()
    configuration.maximumReaderCount = queries
    let database = try SQLiteDatabase(path: path, configuration: configuration)
    let notes = try SQLiteRepository<Note>(database)
    try await measure("read", queries, try await read(database))
    try await measure("find", queries, try await find(notes, database))
  }

  /// Makes a query by SQL that takes long enough.
  private func read(_ database: SQLiteDatabase) async throws -> @Sendable () async throws -> Void {
    var count = 200_000
    while true {
      let last = count
      let query = { @Sendable () async throws -> Void in
        _ = try await database.read { db in
          try db.rows(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
              + "SELECT count(*) FROM n", [last])
        }
      }
      let taken = try await ContinuousClock().measure(query)
      if taken >= Self.atLeast { return query }
      count = Int(Double(count) * 1.2 * (Self.atLeast / taken))
    }
  }

  /// Makes a table so large that finding all of it takes long enough.
  private func find(
    _ notes: SQLiteRepository<Note>, _ database: SQLiteDatabase
  ) async throws -> @Sendable () async throws -> Void {
    try await notes.store((0..<4096).map { Note(id: $0, text: "a text of some length") })
    let query = { @Sendable () async throws -> Void in _ = try await notes.find(Criteria()) }
    while try await ContinuousClock().measure(query) < Self.atLeast {
      try await database.write { db in
        _ = try db.execute(
          "INSERT INTO note SELECT id + (SELECT max(id) + 1 FROM note), text FROM note")
      }
    }
    return query
  }

  private func measure(
    _ name: String, _ count: Int, _ query: @escaping @Sendable () async throws -> Void
  ) async throws {
    let sleepers = (0..<8).map { _ in
      Task { () -> Duration in
        var longest = Duration.zero
        while !Task.isCancelled {
          longest = max(
            longest, await ContinuousClock().measure { try? await Task.sleep(for: Self.sleep) })
        }
        return longest
      }
    }
    let shortest = try await withThrowingTaskGroup(of: Duration.self) { group in
      for _ in 0..<count {
        group.addTask { try await ContinuousClock().measure(query) }
      }
      return try await group.reduce(.seconds(1000)) { min($0, $1) }
    }
    var longest = Duration.zero
    for sleeper in sleepers {
      sleeper.cancel()
      longest = max(longest, await sleeper.value)
    }
    SQLiteChild.say("\(name) \(shortest / .milliseconds(1)) \(longest / .milliseconds(1))")
  }
}
