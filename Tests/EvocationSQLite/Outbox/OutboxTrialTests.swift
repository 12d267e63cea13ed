import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

@Suite(.patient) struct OutboxTrialTests {
  @Test func `Whatever is written, the file has what the reference has, also when opened again`()
    async throws
  {
    var seeds = Trials.random("outbox in a file")
    for _ in 0..<3 {
      let folder = try TemporaryFolder()
      var database = try SQLiteDatabase(path: folder.path())
      let trial = try await OutboxTrial(
        SeededGenerator(seed: seeds.next()), SQLiteRepository<Piece>(database))
      for number in 1...45 {
        try await trial.step()
        guard number.isMultiple(of: 15) else { continue }
        await database.close()
        database = try SQLiteDatabase(path: folder.path())
        try await trial.goOn(with: SQLiteRepository<Piece>(database))
      }
      #expect(try await database.check().isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `A database in memory or in a file has what the reference has`(
    isFile: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let database =
      try isFile
      ? SQLiteDatabase(path: folder.path())
      : SQLiteDatabase.inMemory()
    let trial = try await OutboxTrial(
      Trials.random("outbox, in a file: \(isFile)"), SQLiteRepository<Piece>(database))
    for _ in 0..<50 { try await trial.step() }
    await database.close()
  }
}
