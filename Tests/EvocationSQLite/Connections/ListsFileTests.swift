import Evocation
import EvocationSQLite
import Fixtures
import Foundation
import TestTraits
import Testing

@testable import SQLiteSupport

/// What an app finds in a file of the present format that an earlier version wrote.
@Suite(.patient) struct ListsFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(at: Databases.lists, to: URL(filePath: folder.path()))
  }

  @Test func `Its models, lists, unsent writes and records are there, and go on`() async throws {
    for _ in 0..<2 {
      let app = try ListsFile.App(folder.path())
      try await ListsFile.expect(app)
      await app.database.close()
    }
    let app = try ListsFile.App(folder.path())
    #expect(await app.songList.goToPreviousPage() == .successful)
    #expect(try await app.songList.value(from: .cache).map(\.id) == [3, 4, 5, 6, 8])
    #expect(await app.songList.goToPreviousPage() == .successful)
    #expect(await app.songList.goToPreviousPage() == .skipped(.noMorePages))
    #expect(try await app.songList.value(from: .cache).map(\.id) == Array(1...6))
    #expect(try await app.albumList.refresh(force: true) == .successful)
    #expect(app.albumShelf.offsets.withLock { $0 } == [0, 2, 4])
    #expect(try await app.albumList.value(from: .cache) == ListsFile.albums)
    _ = try await app.albums.remove([ListsFile.albums[1]])
    _ = try await app.words.remove([ListsFile.words[2]])
    _ = try await app.albums.store([ListsFile.albums[1]])
    _ = try await app.words.store([ListsFile.words[2]])
    #expect(
      try await app.albumList.value(from: .cache).map(\.name)
        == ["album 1", "album 3", "album 4", "album 5"])
    #expect(
      try await app.wordList.value(from: .cache).map(\.id) == ["it's \"q\"", "ä/\\\n", "e"])
    #expect(try await app.database.check().isEmpty)
  }
}
