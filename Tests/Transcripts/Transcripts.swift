import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport

@testable import SQLiteSupport

/// Prints what could be seen of random lists, criteria and writes, for `scripts/side-by-side`.
///
/// Its argument says how many seeds.
@main
struct Transcripts {
  static func main() async throws {
    let count = CommandLine.arguments.last.flatMap { UInt64($0) } ?? 300
    for seed in 1...max(1, count) {
      print("# list in memory, seed \(seed)")
      let trial = ListTrial(SeededGenerator(seed: seed), local: InMemoryRepository<Listed>())
      try await trial.run(steps: 16)
      tell(trial)
      try await playFile(seed)
      try await playDifferences(seed)
    }
  }

  /// Prints what the trial did; its steps are no part of its API.
  private static func tell(_ trial: ListTrial) {
    let steps = Mirror(reflecting: trial).descendant("history") as? [String] ?? []
    for line in steps + trial.violations { print(line) }
  }

  private static func playFile(_ seed: UInt64) async throws {
    print("# list in a file, seed \(seed)")
    let folder = try TemporaryFolder()
    let database = Lock(try SQLiteDatabase(path: folder.path()))
    let first = try SQLiteRepository<Listed>(database.withLock { $0 })
    let trial = ListTrial(SeededGenerator(seed: seed), local: first) {
      await database.withLock { $0 }.close()
      let next = try SQLiteDatabase(path: folder.path())
      database.withLock { $0 = next }
      return try SQLiteRepository<Listed>(next)
    }
    try await trial.run(steps: 16)
    tell(trial)
    await database.withLock { $0 }.close()
  }

  private static func playDifferences(_ seed: UInt64) async throws {
    try await play("memory", InMemoryRepository<RandomModel>(), seed)
    try await play("SQLite", try SQLiteRepository<RandomModel>(.inMemory()), seed)
  }

  /// Changes models at random, and finds some by each of as many criteria.
  private static func play(
    _ name: String, _ repository: some Repository<RandomModel>, _ seed: UInt64
  ) async throws {
    print("# criteria and writes in \(name), seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for step in 0..<16 {
      let models = (0..<random.count(0...5)).map { _ in random.model(id: random.count(0...20)) }
      let criteria = try random.criteria(cursorAt: models)
      let kind = random.count(0...4)
      print(step, criteria.tag)
      do {
        print(step, try await change(repository, kind, models, criteria).coded)
      } catch { print(step, error) }
      do {
        print(step, try await repository.find(criteria).value.map(\.id))
      } catch { print(step, error) }
    }
  }

  private static func change(
    _ repository: some Repository<RandomModel>, _ kind: Int, _ models: [RandomModel],
    _ criteria: Criteria
  ) async throws -> [RandomModel] {
    switch kind {
    case 0: try await repository.store(models).value
    case 1: try await repository.update(models).value
    case 2: try await repository.storeOrUpdate(models).value
    case 3: try await repository.remove(models).value
    default: try await repository.mirror(models, for: criteria).value
    }
  }
}
