import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import Testing

/// What lies in `lists-2.sqlite`: lists, entries and sign-outs, and a table that is no longer used.
///
/// It stays as it is: other formats get types of their own.
enum ListsFile {
  struct Song: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var title: String
  }

  struct Album: Codable, Identifiable, Sendable, Equatable {
    var id: UUID
    var name: String
  }

  struct Word: Codable, Identifiable, Sendable, Equatable {
    var id: String
    var count: Int
  }

  struct Note: Codable, Identifiable, Sendable, Equatable {
    var id: Int
    var text: String
  }

  static let songs = (1...12).map { Song(id: $0, title: "song \($0)") }
  static let albums = (1...5).map { number in
    let byte = UInt8(number)
    return Album(
      id: UUID(uuid: (255, byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte)),
      name: "album \(number)")
  }
  static let words = ["a", "it's \"q\"", "nul\0l", "ä/\\\n", "e"].map {
    Word(id: $0, count: $0.count)
  }
  static let notes = (1...3).map { Note(id: $0, text: "unsent \($0)") }

  /// A service of models that can only be read, by offset and limit.
  final class Shelf<Model: Codable & Identifiable & Sendable>: Repository {
    struct Outage: Error, Equatable {}

    let models: [Model]
    let answersUntilOutage = Lock<Int?>(nil)
    let offsets = Lock<[Int]>([])

    init(_ models: [Model]) {
      self.models = models
    }

    func find(_ criteria: Criteria) async throws -> Response<[Model]> {
      offsets.withLock { $0.append(criteria.offset) }
      let isOut = answersUntilOutage.withLock { left in
        defer { left = left.map { max(0, $0 - 1) } }
        return left == 0
      }
      if isOut { throw Outage() }
      return Response(Array(models.dropFirst(criteria.offset).prefix(criteria.limit ?? .max)))
    }

    func store(_ models: [Model]) async throws -> Response<[Model]> { throw Outage() }
    func update(_ models: [Model]) async throws -> Response<[Model]> { throw Outage() }
    func storeOrUpdate(_ models: [Model]) async throws -> Response<[Model]> { throw Outage() }
    func remove(_ models: [Model]) async throws -> Response<[Model]> { throw Outage() }
  }

  /// The app that wrote the file, as it is after a start.
  struct App {
    typealias List<Model: Codable & Identifiable & Sendable> =
      PagingCacheRepository<ProxyPagingCacheDataSource<Model>>

    let database: SQLiteDatabase
    let songShelf = Shelf(ListsFile.songs)
    let albumShelf = Shelf(ListsFile.albums)
    let evocation: Evocation
    let songs: SQLiteRepository<Song>
    let albums: SQLiteRepository<Album>
    let words: SQLiteRepository<Word>
    let notes: SQLiteRepository<Note>
    /// The third to the fifth of the service's pages.
    let songList: List<Song>
    /// The service's three pages.
    let albumList: List<Album>
    let wordList: List<Word>

    init(_ path: String) throws {
      database = try SQLiteDatabase(path: path)
      songs = try SQLiteRepository(database)
      albums = try SQLiteRepository(database)
      words = try SQLiteRepository(database)
      notes = try SQLiteRepository(database)
      evocation = Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
      evocation.register(for: Song.self).repository(remote: songShelf).repository(local: songs)
      evocation.register(for: Album.self).repository(remote: albumShelf).repository(local: albums)
      evocation.register(for: Word.self).repository(remote: Shelf(ListsFile.words))
        .repository(local: words)
      evocation.register(for: Note.self).strategy(.offlineFirst)
        .repository(remote: Shelf<Note>([])).repository(local: notes)
      songList = evocation.pagingCache(
        Song.self, pageSize: 2, options: .init(maxPages: 3, automaticallyRefresh: false))
      albumList = evocation.pagingCache(
        Album.self, pageSize: 2, options: .init(refreshes: .allPages, automaticallyRefresh: false))
      wordList = evocation.pagingCache(
        Word.self, pageSize: 3, options: .init(automaticallyRefresh: false))
      songList.requirements = Criteria()
      albumList.requirements = Criteria()
      wordList.requirements = Criteria()
    }
  }

  /// Compares what the file holds with what was written into it.
  static func expect(_ app: App) async throws {
    #expect(try await app.songs.find(Criteria()).value == songs.filter { $0.id < 11 && $0.id != 7 })
    #expect(try await app.albums.find(Criteria()).value == albums)
    #expect(try await app.words.count() == 4)
    #expect(try await app.notes.find(Criteria()).value == notes)
    #expect(try await app.songList.value(from: .cache).map(\.id) == [5, 6, 8, 9, 10])
    #expect(try await app.albumList.value(from: .cache) == albums)
    #expect(try await app.wordList.value(from: .cache) == Array(words.dropFirst()))
    let entries = try await app.evocation.outbox.entries(of: Note.self)
    #expect(entries.compactMap(\.model) == notes)
    let marked = try await SQLiteFetchLedger(app.database).record(for: "marked")
    #expect(marked?.mark == "mark" && marked?.store == "store" && marked?.size == 3)
  }
}
