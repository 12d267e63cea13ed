import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestTraits
import Testing

/// The samples of the page on accounts, word for word.
@Suite(.patient) struct AccountsPageTests {
  private struct Note: Codable, Identifiable, Hashable, Sendable {
    var id: Int
  }

  private func service(_ account: String) -> InMemoryRepository<Note> {
    InMemoryRepository([Note(id: account.count)])
  }

  private func evocation() -> Evocation {
    Evocation(configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
  }

  @Test func `signing out empties what was there`() async throws {
    let (evocation, notes) = (evocation(), InMemoryRepository([Note(id: 1)]))
    evocation.register(for: Note.self).repository(local: notes).strategy(.localOnly)
    try await evocation.signOut(.block)
    #expect(try await notes.count(Criteria()) == 0)
  }

  @Test func `unsent writes are asked about`() async throws {
    let (evocation, notes) = (evocation(), InMemoryRepository<Note>())
    evocation.register(for: Note.self).repository(remote: service("")).repository(local: notes)
      .strategy(.offlineFirst)
    _ = await evocation.storeOne(Note(id: 1))
    do {
      try await evocation.signOut(.block)
    } catch EvocationError.unsentWrites(let count) {
      print("\(count) changes are not saved yet")
      try await evocation.signOut(.discard)
    }
    #expect(try await notes.count(Criteria()) == 0)
    #expect(try await evocation.outbox.status().pending == 0)
  }

  @Test func `each account has a file that is there again`() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let (evocation, folder) = (evocation(), url.path)
    func open(_ account: String) throws {
      let database = try SQLiteDatabase(path: folder + "/\(account).sqlite")
      evocation.register(for: Note.self)
        .repository(remote: service(account))
        .repository(local: try SQLiteRepository<Note>(database))
        .strategy(.offlineFirst)
    }
    try open("ann")
    #expect(await evocation.find(model: Note.self).data == [Note(id: 3)])
    _ = await evocation.storeOne(Note(id: 10))
    try open("robert")
    #expect(await evocation.find(model: Note.self).data == [Note(id: 6)])
    #expect(try await evocation.outbox.status().pending == 0)
    try open("ann")
    #expect(try await evocation.outbox.status().pending == 1)
    #expect(await evocation.find(model: Note.self).data?.contains(Note(id: 10)) == true)
  }
}
