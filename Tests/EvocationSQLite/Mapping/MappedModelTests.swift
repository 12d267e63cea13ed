import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// A mapping by hand does what the mapping read off `Codable` does.
@Suite(.patient) struct MappedModelTests {
  private let folder: TemporaryFolder
  private let byCodable: SQLiteRepository<RandomModel>
  private let byHand: SQLiteRepository<MappedRandomModel>

  init() throws {
    folder = try TemporaryFolder()
    byCodable = try SQLiteRepository(SQLiteDatabase(path: folder.path()), table: "model")
    byHand = try SQLiteRepository(SQLiteDatabase(path: folder.path()), table: "model")
  }

  private func rows() async throws -> [[Criteria.Scalar]] {
    try await byCodable.database.read { db in
      try db.rows("SELECT * FROM model ORDER BY id").map(\.values)
    }
  }

  @Test func `Models written by one way are read by the other as they were`() async throws {
    var random = Trials.random("by hand")
    for _ in 0..<10 {
      let models = (0..<random.count(1...120)).map { random.model(id: $0) }
      try await byCodable.store(models)
      let rows = try await rows()
      #expect(try await byHand.find(Criteria()).value.map(\.model).coded == models.coded)
      let removed = try await byHand.remove(models.map(MappedRandomModel.init)).value
      #expect(removed.map(\.model).coded == models.coded)
      try await byHand.store(models.map(MappedRandomModel.init))
      #expect(try await self.rows() == rows)
      #expect(try await byCodable.find(Criteria()).value.coded == models.coded)
      #expect(try await byCodable.removeAll(matching: Criteria()) == models.count)
    }
  }

  @Test func `The ends of each type, NaN and empty values keep their form`() async throws {
    var random = Trials.random("ends")
    var models = (0..<20).map { random.model(id: $0) }
    for (index, value) in Pool.unsigned.enumerated() { models[index].large = value }
    for (index, value) in Pool.reals.enumerated() { models[index].real = value }
    for (index, value) in Pool.texts.enumerated() { models[index].name = value }
    try await byHand.store(models.map(MappedRandomModel.init))
    let rows = try await rows()
    #expect(try await byCodable.find(Criteria()).value.coded == models.coded)
    try await byCodable.storeOrUpdate(models)
    #expect(try await self.rows() == rows)
  }

  @Test func `Criteria, one by its key, a stream and a count find the same models`() async throws {
    var random = Trials.random("mapped criteria")
    let models = (0..<40).map { random.model(id: $0) }
    try await byHand.store(models.map(MappedRandomModel.init))
    for _ in 0..<100 {
      let criteria = try random.criteria(cursorAt: models)
      guard let expected = try? await byCodable.find(criteria).value else { continue }
      #expect(try await byHand.find(criteria).value.map(\.model).coded == expected.coded)
      var streamed: [RandomModel] = []
      for try await mapped in byHand.stream(criteria) { streamed.append(mapped.model) }
      #expect(streamed.coded == expected.coded)
      #expect(try await byHand.count(criteria) == expected.count)
    }
    let one = try await byHand.findOne(["id": 7]).value?.model
    #expect([one].compactMap(\.self).coded == [models[7]].coded)
  }

  @Test func `Writes do the same, and observers are told the same`() async throws {
    var random = Trials.random("mapped writes")
    let (told, expected) = (Recorder<MappedRandomModel>(), Recorder<RandomModel>())
    let other = try SQLiteRepository<RandomModel>(.inMemory())
    let observations = [
      byHand.observeChanges { told.record($0) }, other.observeChanges { expected.record($0) },
    ]
    for _ in 0..<60 {
      let models = (0..<random.count(1...60)).map { _ in random.model(id: random.count(0...80)) }
      let mapped = models.map(MappedRandomModel.init)
      switch random.count(0...3) {
      case 0:
        let changed = try await byHand.update(mapped).value.map(\.model)
        #expect(changed.coded == (try await other.update(models).value.coded))
      case 1:
        let removed = try await byHand.remove(mapped).value.map(\.model)
        #expect(removed.coded == (try await other.remove(models).value.coded))
      default:
        try await byHand.storeOrUpdate(mapped)
        try await other.storeOrUpdate(models)
      }
      let left = try await byHand.find(Criteria()).value.map(\.model)
      #expect(left.coded == (try await other.find(Criteria()).value.coded))
    }
    #expect(told.told.map(\.parts) == expected.told.map(\.parts))
    for observation in observations { observation.cancel() }
  }

  @Test func `Models whose keys have another order are removed beside each other`() async throws {
    let places = try SQLiteRepository<Place>(byHand.database)
    let people = try SQLiteRepository<Person>(byHand.database)
    let (rome, oslo) = (Place(id: 1, name: "Rome"), Place(id: 2, name: "Oslo"))
    let (ada, bob) = (Person(name: "Ada", id: 1), Person(name: "Bob", id: 2))
    try await places.store([rome, oslo])
    try await people.store([ada, bob])
    #expect(try await places.remove([rome, oslo]).value == [rome, oslo])
    #expect(try await people.remove([ada, bob]).value == [ada, bob])
  }
}

private struct Place: SQLiteMappedModel, Equatable {
  enum CodingKeys: CodingKey, CaseIterable { case id, name }

  var id: Int
  var name: String
}

extension Place {
  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    id = try row.read(.id)
    name = try row.read(.name)
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.write(id, to: .id)
    try row.write(name, to: .name)
  }
}

private struct Person: SQLiteMappedModel, Equatable {
  enum CodingKeys: CodingKey, CaseIterable { case name, id }

  var name: String
  var id: Int
}

extension Person {
  init(row: borrowing SQLiteRowReader<CodingKeys>) throws {
    name = try row.read(.name)
    id = try row.read(.id)
  }

  func write(to row: inout SQLiteRowWriter<CodingKeys>) throws {
    try row.write(name, to: .name)
    try row.write(id, to: .id)
  }
}

extension RepositoryChange<MappedRandomModel> {
  fileprivate var parts: [String] {
    guard case .models(let stored, let updated, let removed) = extent else { return [] }
    return [stored, updated.map(\.before), updated.map(\.after), removed].map {
      $0.map(\.model).coded
    }
  }
}

extension RepositoryChange<RandomModel> {
  fileprivate var parts: [String] {
    guard case .models(let stored, let updated, let removed) = extent else { return [] }
    return [stored, updated.map(\.before), updated.map(\.after), removed].map(\.coded)
  }
}
