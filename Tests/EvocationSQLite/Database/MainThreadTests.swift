import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// Which calls run on the main thread.
@Suite(.patient) @MainActor struct MainThreadTests {
  private struct Note: Codable, Identifiable, Sendable {
    var id: Int
    var text = ""
  }

  @Test(arguments: [true, false], [true, false])
  func `a call on one model runs on its caller's thread, unless it is to leave the main one`(
    leaves: Bool, isFile: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let configuration = SQLiteDatabase.Configuration(leavesMainThread: leaves)
    let database =
      isFile
      ? try SQLiteDatabase(path: folder.path(), configuration: configuration)
      : try SQLiteDatabase.inMemory(configuration: configuration)
    let notes = try SQLiteRepository<Note>(database)
    _ = try await notes.store([Note(id: 1)])
    // Once before, so that a connection is open.
    _ = try await notes.findOne(["id": 1])
    let isOnMain: @Sendable (Any) -> Bool = { _ in MainThread.isCurrent }
    // Outside of the macro, in which a call is one of another actor.
    let writes = try await notes.transact(isShort: true) { isOnMain($0) }
    let reads = try await notes.look(isShort: true) { isOnMain($0) }
    let longWrites = try await notes.transact(isShort: false) { isOnMain($0) }
    #expect(writes == !leaves)
    #expect(reads == !leaves)
    #expect(!longWrites)
    await database.close()
  }
}
