/// A query that is read bit by bit, on a connection that it has for itself.
final class RunningQuery<Model: Codable & Identifiable & Sendable>:
  @unchecked Sendable  // one iterator has it, and uses it on the connection's queue alone
{
  private let table: ModelTable<Model>
  private let query: SQLQuery
  private let readers: ConnectionPool
  private let connection: Connection
  private var running: (statement: Statement, decoder: RowDecoder)?

  init(_ table: ModelTable<Model>, _ query: SQLQuery, _ readers: ConnectionPool) async throws {
    self.table = table
    self.query = query
    self.readers = readers
    connection = try await readers.takeApart()
  }

  deinit { readers.giveBackApart(connection) }

  /// Reads so many models, or fewer when no more are left.
  func next(_ count: Int) async throws -> [Model] {
    try await connection.runOnQueue { connection in
      let (statement, decoder) = try self.running ?? self.table.prepare(self.query, connection)
      self.running = (statement, decoder)
      var models = ModelList<Model>()
      while models.count < count, try connection.step(statement, self.table.reading) {
        models.append(try self.table.mapping.read(decoder))
      }
      return models.take()
    }
  }
}
