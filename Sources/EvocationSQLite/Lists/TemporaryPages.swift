internal import Evocation
internal import Foundation

/// The pages of a refresh, in a temporary table of a connection of their own.
///
/// SQLite moves a long table from memory into a file without a name, which ends with the connection.
/// So nothing is left to clean up, however a refresh ends, and suspending the database and signing
/// out do not have to know of it.
final class TemporaryPages<Model: Codable & Sendable>: CollectedPages {
  private static var action: String { "Collecting the pages of a list" }

  let connection: Connection
  private let withVersions = Lock(false)

  /// Opens the connection as the configuration of the database says.
  init(_ configuration: SQLiteDatabase.Configuration) throws {
    connection = try Connection.open(nil, .writer, configuration: configuration)
    try connection.execute(
      "CREATE TEMP TABLE page (page BLOB NOT NULL)", Self.action)
  }

  var haveVersions: Bool { withVersions.withLock { $0 } }

  func add(_ page: CollectedPage<Model>) throws {
    try connection.run(
      "INSERT INTO page VALUES (?)", [.blob([UInt8](try ModelJSON.data(page)))],
      action: Self.action)
    if !page.versions.isEmpty { withVersions.withLock { $0 = true } }
  }

  func forEach(_ body: (CollectedPage<Model>) throws -> Void) throws {
    let sql = "SELECT page FROM page ORDER BY rowid"
    try connection.rows(sql, [], action: Self.action) { statement in
      try body(ModelJSON.model(CollectedPage<Model>.self, Data(statement.blobBytes(at: 0))))
      return true
    }
  }
}
