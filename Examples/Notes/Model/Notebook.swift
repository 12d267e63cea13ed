public import Evocation
import EvocationHTTP
public import EvocationSQLite
public import Foundation

/// What all screens share: the registered notes, and the questions that conflicts ask.
@MainActor
public final class Notebook {
  /// The instance at which the notes are registered.
  public let evocation: Evocation

  /// The conflicts that wait for the user's choice.
  public let conflicts: ConflictQuestions

  /// Opens the notes of a server, and the file on this device that has them too.
  public convenience init(
    server: URL, file: String, configuration: Evocation.Configuration = .init(log: .console)
  ) throws {
    try self.init(
      remote: HTTPRepository(HTTPService(server), "notes"),
      local: Self.local(SQLiteDatabase(path: file)), configuration)
  }

  /// The notes in a file, or in memory for previews, with an index of their words for the search.
  public static func local(_ database: SQLiteDatabase) throws -> SQLiteRepository<Note> {
    try SQLiteRepository(database, indexes: [.fullText(\Note.title, \.text)])
  }

  /// Registers the notes with two repositories, such as those in memory that previews use.
  public init(
    remote: some Repository<Note>, local: some Repository<Note>,
    _ configuration: Evocation.Configuration = .init()
  ) throws {
    let conflicts = ConflictQuestions()
    self.conflicts = conflicts
    evocation = Evocation(configuration: configuration)
    try evocation.register(Note.self, remote: remote, local: local, strategy: .offlineFirst)
      .conflicts { try await conflicts.resolution(of: $0) }
  }

  /// All notes by their titles, from the file immediately and then from the server.
  public func notes() -> ObservedModels<Note> {
    ObservedModels(Note.self, where: Notebook.all, in: evocation)
  }

  /// One note as the device has it, with each later change; it asks no server.
  public func note(_ id: Note.ID) -> ObservedModels<Note> {
    ObservedModels(Note.self, where: \.id == id, fetches: false, in: evocation)
  }

  /// Removes notes now on the device, and on the server when it can be reached.
  ///
  /// - Returns: Why they were not removed; nil if they were.
  public func remove(_ notes: [Note]) async -> String? {
    await evocation.remove(notes).error?.localizedDescription
  }

  static var all: Criteria.Of<Note> { Criteria.Of<Note>().sorted(by: \.title) }
}
