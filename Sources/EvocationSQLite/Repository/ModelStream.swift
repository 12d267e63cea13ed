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
    @SharedByCopies private var batch: [Model] = []
    @SharedByCopies private var position = 0
    @SharedByCopies private var query: RunningQuery<Model>? = nil
    @SharedByCopies private var hasBegun = false

    fileprivate init(stream: ModelStream) {
      self.stream = stream
    }

    /// Returns the next model; nil after the last one, and after an error.
    public mutating func next() async throws -> Model? {
      if position == batch.count {
        (batch, position) = ([], 0)
        batch = try await fetch()
        if batch.isEmpty { return nil }
      }
      defer { position += 1 }
      return batch[position]
    }

    private mutating func fetch() async throws -> [Model] {
      if !hasBegun {
        hasBegun = true
        let (database, table) = (stream.database, stream.table)
        let query = try table.selection.query(
          stream.criteria.resolved(against: table.plan.schema))
        guard let streams = database.streams else {
          return try await database.reading { try table.read(query, $0) }
        }
        database.resumeIfActive()
        self.query = RunningQuery(
          table, query, streams: streams, connection: try await streams.take())
      }
      guard let running = query else { return [] }
      // Removed before the read, so that an error ends the stream.
      query = nil
      let models = try await running.next(Self.batchSize)
      if models.count == Self.batchSize { query = running }
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
      do {
        while models.count < count, try connection.step(statement, self.table.reading) {
          if let model = try self.read(decoder) { models.append(model) }
        }
      } catch {
        throw self.table.refusal(error, of: statement, in: connection)
      }
      return models.take()
    }
  }

  /// Reads the present row's model; nil for a row to leave out.
  private func read(_ decoder: RowDecoder) throws -> Model? {
    guard table.leavesOutUnreadable else { return try table.mapping.read(decoder) }
    return try table.mapping.readIfPossible(decoder)
  }

  private func begin(_ connection: Connection) throws -> (Statement, RowDecoder) {
    // The stream reads each page once, so few are worth keeping.
    try connection.execute("PRAGMA cache_size = -1024", table.reading)
    return try table.prepare(query, connection)
  }
}
