import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// What a repository answers, or why it does not.
private enum Answer: Equatable {
  case ids([Int])
  case refused(String)
}

@Suite(.patient) struct DifferentialTests {
  private func answer(
    _ repository: some Repository<RandomModel>, _ criteria: Criteria
  ) async throws -> Answer {
    do {
      return .ids(try await repository.find(criteria).value.map(\.id))
    } catch let error as EvocationError {
      return .refused(error.description)
    }
  }

  @Test func `SQLite and memory give the same models in the same order`() async throws {
    var random = Trials.random("criteria")
    for _ in 0..<Trials.count(10) {
      let models = (0..<random.count(0...40)).map { random.model(id: $0) }
      let memory = InMemoryRepository(models)
      let sqlite = try SQLiteRepository<RandomModel>(try .inMemory())
      try await sqlite.store(models)
      for _ in 0..<100 {
        let criteria = try random.criteria(cursorAt: models)
        let expected = try await answer(memory, criteria)
        let found = try await answer(sqlite, criteria)
        #expect(found == expected, "\(criteria)")
        let (first, firstExpected) = try await (
          sqlite.findOne(criteria).value?.id, memory.findOne(criteria).value?.id
        )
        #expect(first == firstExpected, "\(criteria)")
      }
    }
  }

  @Test func `SQLite and memory change the same models in the same way`() async throws {
    var random = Trials.random("writes")
    let memory = InMemoryRepository<RandomModel>()
    let sqlite = try SQLiteRepository<RandomModel>(try .inMemory())
    let changes = (Recorder<RandomModel>(), Recorder<RandomModel>())
    let observations = [
      memory.observeChanges { changes.0.record($0) },
      sqlite.observeChanges { changes.1.record($0) },
    ]
    for step in 0..<300 {
      let models = (0..<random.count(0...5)).map { _ in random.model(id: random.count(0...20)) }
      let criteria = try random.criteria(cursorAt: models)
      let kind = random.count(0...5)
      let expected = await outcome { try await change(memory, kind, models, criteria) }
      let found = await outcome { try await change(sqlite, kind, models, criteria) }
      #expect(found == expected, "step \(step), \(kind)")
      let left = try await sqlite.find(Criteria()).value
      #expect(left.coded == (try await memory.find(Criteria()).value.coded), "step \(step)")
    }
    #expect(changes.1.told.map(\.coded) == changes.0.told.map(\.coded))
    for observation in observations { observation.cancel() }
  }

  @Test func `SQLite and memory mirror alike, and SQLite tells of nothing that stays`() async throws
  {
    var random = Trials.random("mirrors")
    let memory = InMemoryRepository((0..<12).map { random.model(id: $0) })
    let sqlite = try SQLiteRepository<RandomModel>(try .inMemory())
    try await sqlite.store(try await memory.find(Criteria()).value)
    for step in 0..<300 {
      let held = try await sqlite.find(Criteria()).value
      let criteria = random.chance(30) ? Criteria() : try random.criteria(cursorAt: held)
      let kept = held.filter { _ in random.chance(10) }
      let answer = random.answer(after: held).filter { !kept.map(\.id).contains($0.id) }
      let changes = (Recorder<RandomModel>(), Recorder<RandomModel>())
      let observations = [
        memory.observeChanges { changes.0.record($0) },
        random.chance(70) ? sqlite.observeChanges { changes.1.record($0) } : nil,
      ]
      let expected = await outcome {
        try await memory.mirror(answer, for: criteria, keeping: kept).value.coded
      }
      let found = await outcome {
        try await sqlite.mirror(answer, for: criteria, keeping: kept).value.coded
      }
      for observation in observations { observation?.cancel() }
      #expect(found == expected, "step \(step), \(criteria)")
      let left = try await sqlite.find(Criteria()).value
      #expect(left.coded == (try await memory.find(Criteria()).value.coded), "step \(step)")
      guard observations[1] != nil else { continue }
      let told = changes.1.told.compactMap(\.difference)
      #expect(told == changes.0.told.compactMap(\.difference), "step \(step), \(criteria)")
      if criteria.tag == Criteria().tag {
        #expect(changes.1.told.map(\.coded) == told, "step \(step), \(criteria)")
      }
    }
  }

  private func change(
    _ repository: some Repository<RandomModel>, _ kind: Int, _ models: [RandomModel],
    _ criteria: Criteria
  ) async throws -> String {
    switch kind {
    case 0: try await repository.store(models).value.coded
    case 1: try await repository.update(models).value.coded
    case 2: try await repository.storeOrUpdate(models).value.coded
    case 3: try await repository.remove(models).value.coded
    case 4: try await repository.mirror(models, for: criteria).value.coded
    default:
      try await [repository.removeOne(models.first ?? .init(0)).value].compactMap(\.self).coded
    }
  }

  private func outcome(_ body: () async throws -> String) async -> String {
    do { return try await body() } catch { return "\(error)" }
  }
}

extension RandomModel {
  fileprivate init(_ id: Int) {
    var random = Trials.random("one")
    self = random.model(id: id)
  }
}

/// Keeps the changes that an observer was told.
final class Recorder<Model: Sendable>: Sendable {
  private let changes = Lock<[RepositoryChange<Model>]>([])

  var told: [RepositoryChange<Model>] { changes.withLock { $0 } }

  func record(_ change: RepositoryChange<Model>) {
    changes.withLock { $0.append(change) }
  }
}

extension RepositoryChange<RandomModel> {
  fileprivate var coded: String {
    guard case .models(let stored, let updated, let removed) = extent else { return "unknown" }
    return [stored, updated.map(\.after), removed].map(\.coded).joined(separator: "\n")
  }

  /// The change without the models that are as they were; nil when there are no others.
  fileprivate var difference: String? {
    guard case .models(let stored, let updated, let removed) = extent else { return "unknown" }
    // By their bytes, as the file compares: to Swift, "é" in one character or in two is the same.
    let changed = updated.filter {
      ![$0.before].coded.utf8.elementsEqual([$0.after].coded.utf8)
    }
    if stored.isEmpty, changed.isEmpty, removed.isEmpty { return nil }
    return Self.models(stored: stored, updated: changed, removed: removed).coded
  }
}

extension SeededGenerator {
  /// What a service may answer that had these models before.
  fileprivate mutating func answer(after held: [RandomModel]) -> [RandomModel] {
    var answer: [RandomModel] = []
    for model in held where chance(80) {
      answer.append(chance(25) ? changed(model) : model)
    }
    for _ in 0..<count(0...3) { answer.append(model(id: count(0...15))) }
    return chance(40) ? answer.shuffled(using: &self) : answer
  }

  /// The model with another value for one of its properties.
  private mutating func changed(_ model: RandomModel) -> RandomModel {
    var changed = model
    let other = self.model(id: model.id)
    let copies: [(inout RandomModel) -> Void] = [
      { $0.flag = other.flag }, { $0.number = other.number }, { $0.small = other.small },
      { $0.large = other.large }, { $0.largeOrNot = other.largeOrNot }, { $0.real = other.real },
      { $0.realOrNot = other.realOrNot }, { $0.price = other.price },
      { $0.priceOrNot = other.priceOrNot }, { $0.name = other.name },
      { $0.nameOrNot = other.nameOrNot }, { $0.key = other.key }, { $0.link = other.link },
      { $0.at = other.at }, { $0.atOrNot = other.atOrNot }, { $0.bytes = other.bytes },
      { $0.fuel = other.fuel }, { $0.tags = other.tags }, { $0.numbers = other.numbers },
      { $0.part = other.part }, { $0.open = other.open }, { $0.loose = other.loose },
    ]
    pick(copies)(&changed)
    return changed
  }
}
