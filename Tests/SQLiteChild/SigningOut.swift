import Evocation
import EvocationSQLite
import Foundation
import TestSupport

/// Signs out of two files, and is killed at a step of one of them by its own hand.
struct SigningOut {
  let task: SigningOutTask

  struct Note: Codable, Identifiable, Sendable { var id: Int }
  struct Tag: Codable, Identifiable, Sendable { var id: Int }

  func run() async throws {
    let evocation = Evocation()
    let notes = try SQLiteRepository<Note>(SQLiteDatabase(path: task.paths[0]))
    let tags = try SQLiteRepository<Tag>(SQLiteDatabase(path: task.paths[1]))
    _ = try await notes.storeOrUpdate((1...50).map { Note(id: $0) })
    _ = try await tags.storeOrUpdate((1...50).map { Tag(id: $0) })
    evocation.register(for: Note.self).strategy(.localOnly)
      .repository(local: SteppedRepository(notes, store(notes.database, 0)))
    evocation.register(for: Tag.self).strategy(.localOnly)
      .repository(local: SteppedRepository(tags, store(tags.database, 1)))
    SQLiteChild.say("signing out")
    try await evocation.signOut(.discard)
    SQLiteChild.say("signed out")
  }

  private func store(_ database: SQLiteDatabase, _ file: Int) -> SteppedStore {
    SteppedStore(database) { [task] step in
      guard task.file == file, task.step == step.rawValue else { return }
      SQLiteChild.say("at \(step.rawValue) of \(file)")
      kill(getpid(), SIGKILL)
    }
  }
}
