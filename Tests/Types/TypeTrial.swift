import Evocation
import EvocationSQLite
import Foundation

/// Plays the same calls on a type's models in memory, in SQLite and over HTTP, and keeps what differs.
struct TypeTrial<Model: GeneratedType> {
  var values: Values
  private(set) var problems: [String] = []

  init(_ type: Model.Type, seed: UInt64) {
    values = Values(seed: seed)
  }

  /// Plays all; returns a sentence for each difference.
  static func play(_ type: Model.Type, seed: UInt64, database: SQLiteDatabase) async -> [String] {
    var trial = TypeTrial(type, seed: seed)
    do {
      trial.checkKeyPaths()
      try await trial.playTables(database)
      try await trial.playService()
    } catch {
      trial.note("a call failed: \(error)")
    }
    return trial.problems
  }

  mutating func note(_ problem: String) {
    // What follows from a difference is not worth its lines.
    if problems.count < 3 { problems.append(problem) }
  }

  /// Compares what two sides said.
  mutating func compare(_ expected: String, _ found: String, _ what: @autoclosure () -> String) {
    if expected != found { note("\(what()): \(found) instead of \(expected)") }
  }

  private mutating func checkKeyPaths() {
    // Of what takes no room, Swift does not know which property it is.
    func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
    for known in Model.known where _openExistential(type(of: known.path).valueType, do: size) > 0 {
      compare(known.key, Criteria.Key(known.path).name, "The key path of \(known.key)")
    }
  }

  /// The model with a random id.
  mutating func model() -> Model { Model.random(&values, id: values.count(0...Values.ids - 1)) }

  mutating func models(_ most: Int) -> [Model] { (0..<values.count(0...most)).map { _ in model() } }

  /// Models as they are coded, by which NaN is equal to itself.
  static func coded(_ models: [Model]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do { return String(decoding: try encoder.encode(models), as: UTF8.self) } catch {
      return "\(error)"
    }
  }

  static func text(of criteria: Criteria) -> String {
    (try? JSONEncoder().encode(criteria)).map { String(decoding: $0, as: UTF8.self) } ?? "criteria"
  }

  /// What a call returns, or its error.
  static func outcome(_ call: () async throws -> String) async -> String {
    do { return try await call() } catch { return "\(error)" }
  }
}

/// Memory and SQLite.
extension TypeTrial {
  fileprivate mutating func playTables(_ database: SQLiteDatabase) async throws {
    let sqlite: SQLiteRepository<Model>
    do {
      sqlite = try SQLiteRepository<Model>(database)
    } catch let error as EvocationError where !Model.facts.isInSQLite {
      if "\(error)".isEmpty { note("SQLite refuses the type without a sentence") }
      return
    }
    if !Model.facts.isInSQLite { note("SQLite takes the type, whose id has no column") }
    let memory = InMemoryRepository<Model>()
    for step in 0..<16 where problems.isEmpty {
      try await change(memory, sqlite, step: step)
    }
    for _ in 0..<12 where problems.isEmpty {
      try await find(memory, sqlite)
    }
    let again = try SQLiteDatabase(path: database.path ?? "")
    compare(
      Self.coded(try await memory.find(Criteria()).value),
      await Self.outcome {
        try await Self.coded(SQLiteRepository<Model>(again).find(Criteria()).value)
      }, "The file, opened again")
    await again.close()
  }

  private mutating func change(
    _ memory: InMemoryRepository<Model>, _ sqlite: SQLiteRepository<Model>, step: Int
  ) async throws {
    let (models, kind, criteria) = (models(4), values.count(0...6), values.criteria(Model.places))
    let one = model()
    func changed(_ repository: some Repository<Model>) async -> String {
      await Self.outcome {
        switch kind {
        case 0, 1: try await Self.coded(repository.store(models).value)
        case 2: try await Self.coded(repository.update(models).value)
        case 3: try await Self.coded(repository.storeOrUpdate(models).value)
        case 4: try await Self.coded(repository.remove(models).value)
        case 5: try await Self.coded(repository.mirror(models, for: criteria).value)
        default: try await Self.coded([repository.removeOne(one).value].compactMap(\.self))
        }
      }
    }
    let what = "Step \(step), call \(kind)"
    compare(await changed(memory), await changed(sqlite), what)
    compare(
      Self.coded(try await memory.find(Criteria()).value),
      await Self.outcome { try await Self.coded(sqlite.find(Criteria()).value) }, "After \(what)")
  }

  private mutating func find(
    _ memory: InMemoryRepository<Model>, _ sqlite: SQLiteRepository<Model>
  ) async throws {
    let criteria = values.criteria(Model.places)
    func found(_ repository: some Repository<Model>) async -> String {
      await Self.outcome {
        let all = try await repository.find(criteria).value
        let first = try await repository.findOne(criteria).value
        return Self.coded(all) + Self.coded(first.map { [$0] } ?? [])
      }
    }
    let (expected, there) = (await found(memory), await found(sqlite))
    compare(expected, there, Self.text(of: criteria))
    compare(
      await Self.outcome { try await "\(memory.count(criteria))" },
      await Self.outcome { try await "\(sqlite.count(criteria))" },
      "The count of \(Self.text(of: criteria))")
  }
}
