import Evocation
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import EvocationSQLite
@testable import SQLiteSupport

/// What becomes of a file of format 1, which kept an id of a list in a row.
@Suite(.patient) struct FormerFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path()
    try FileManager.default.copyItem(at: Databases.listsOne, to: URL(filePath: path))
  }

  @Test func `Its models, lists, unsent writes and records are there, and go on`() async throws {
    for _ in 0..<2 {
      let app = try FormatOneLists.App(path)
      try await FormatOneLists.expect(app)
      await app.database.close()
    }
    let app = try FormatOneLists.App(path)
    #expect(await app.songList.goToPreviousPage() == .successful)
    #expect(try await app.songList.value(from: .cache).map(\.id) == [3, 4, 5, 6, 8])
    #expect(await app.songList.goToPreviousPage() == .successful)
    #expect(await app.songList.goToPreviousPage() == .skipped(.noMorePages))
    #expect(try await app.songList.value(from: .cache).map(\.id) == Array(1...6))
    // Of the refresh, only the last page is missing.
    #expect(try await app.albumList.refresh(force: true) == .successful)
    #expect(app.albumShelf.offsets.withLock { $0 } == [4])
    #expect(try await app.albumList.value(from: .cache) == FormatOneLists.albums)
    _ = try await app.albums.remove([FormatOneLists.albums[1]])
    _ = try await app.words.remove([FormatOneLists.words[2]])
    _ = try await app.albums.store([FormatOneLists.albums[1]])
    _ = try await app.words.store([FormatOneLists.words[2]])
    #expect(
      try await app.albumList.value(from: .cache).map(\.name)
        == ["album 1", "album 3", "album 4", "album 5"])
    #expect(
      try await app.wordList.value(from: .cache).map(\.id) == ["it's \"q\"", "ä/\\\n", "e"])
    #expect(try await app.database.check().isEmpty)
  }
}
