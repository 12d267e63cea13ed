internal import Evocation

/// The models of a repository that match, read a few hundred at a time.
///
/// ``SQLiteRepository/stream(_:)`` creates it.
///
/// ```swift
/// for try await car in cars.stream(Criteria().sorted(by: "year")) {
///   print(car.year)
/// }
/// ```
public struct ModelStream<Model: Codable & Identifiable & Sendable>: AsyncSequence, Sendable {
  let database: SQLiteDatabase
  let table: ModelTable<Model>
  let criteria: Criteria

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream: self)
  }
}

extension ModelStream {
  /// Returns one model after another.
  public struct Iterator: AsyncIteratorProtocol {
    /// The maximum number of models in memory.
    private static var batchSize: Int { 256 }

    fileprivate let stream: ModelStream
    @SharedByCopies private var state = State()

    private struct State {
      var batch: [Model] = []
      var position = 0
      var query: RunningQuery<Model>?
      var hasBegun = false

      /// Returns the next model of the batch; nil after its last one.
      mutating func take() -> Model? {
        guard position < batch.count else { return nil }
        defer { position += 1 }
        return batch[position]
      }
    }

    fileprivate init(stream: ModelStream) {
      self.stream = stream
    }

    /// Returns the next model; nil after the last one, and after an error.
    public mutating func next() async throws -> Model? {
      if let model = state.take() { return model }
      (state.batch, state.position) = ([], 0)
      state.batch = try await fetch()
      return state.take()
    }

    private mutating func fetch() async throws -> [Model] {
      if !state.hasBegun {
        state.hasBegun = true
        let (database, table) = (stream.database, stream.table)
        let query = try table.selection.query(
          stream.criteria.resolved(against: table.plan.schema))
        guard let streams = database.streams else {
          return try await database.reading { try table.read(query, $0) }
        }
        database.resumeIfActive()
        state.query = RunningQuery(
          table, query, streams: streams, connection: try await streams.take())
      }
      guard let running = state.query else { return [] }
      // Removed before the read, so that an error ends the stream.
      state.query = nil
      let models = try await running.next(Self.batchSize)
      if models.count == Self.batchSize { state.query = running }
      return models
    }
  }
}

/// A query that is read in batches, on a connection of its own.
final class RunningQuery<Model: Codable & Identifiable & Sendable>:
  @unchecked Sendable  // one iterator has it, and uses it on the connection's queue alone
{
  private let table: ModelTable<Model>
  private let query: SQLQuery
  private let streams: ConnectionPool
  private let connection: Connection
  private var running: (statement: Statement, decoder: RowDecoder)?

  init(
    _ table: ModelTable<Model>, _ query: SQLQuery, streams: ConnectionPool,
    connection: Connection
  ) {
    self.table = table
    self.query = query
    self.streams = streams
    self.connection = connection
  }

  deinit {
    streams.giveBackFromQueue(connection)
  }

  /// Reads this many models, or fewer if no more are left.
  func next(_ count: Int) async throws -> [Model] {
    try await connection.runOnQueue { connection in
      let (statement, decoder) = try self.running ?? self.begin(connection)
      self.running = (statement, decoder)
      var models = ModelList<Model>()
      while models.count < count, try connection.step(statement, self.table.reading) {
        models.append(try self.table.mapping.read(decoder))
      }
      return models.take()
    }
  }

  private func begin(_ connection: Connection) throws -> (Statement, RowDecoder) {
    // The stream reads each page once, so few are worth keeping.
    try connection.execute("PRAGMA cache_size = -1024", table.reading)
    return try table.prepare(query, connection)
  }
}
