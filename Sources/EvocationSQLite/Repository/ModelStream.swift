internal import Evocation

/// The models of a repository that match, read a few hundred at a time.
///
/// Made by ``SQLiteRepository/stream(_:)``.
public struct ModelStream<Model: Codable & Identifiable & Sendable>: AsyncSequence, Sendable {
  let database: SQLiteDatabase
  let table: ModelTable<Model>
  let criteria: Criteria

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(stream: self)
  }

  fileprivate func begin() async throws -> RunningQuery<Model>? {
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    guard let readers = database.readers else { return nil }
    return try await RunningQuery(table, query, readers)
  }

  fileprivate func everything() async throws -> [Model] {
    let table = table
    let query = try table.selection.query(criteria.resolved(against: table.plan.schema))
    return try await database.long(database.reader) { try table.read(query, $0) }
  }
}

extension ModelStream {
  /// Gives one model after the other.
  public struct Iterator: AsyncIteratorProtocol {
    /// How many models are in memory at most.
    private static var batchSize: Int { 256 }

    fileprivate let stream: ModelStream
    private var batch: [Model] = []
    private var position = 0
    private var query: RunningQuery<Model>?
    private var hasBegun = false

    fileprivate init(stream: ModelStream) {
      self.stream = stream
    }

    /// Gives the next model, or nil when there is none, or none any more after an error.
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
        query = try await stream.begin()
        if query == nil { return try await stream.everything() }
      }
      guard let running = query else { return [] }
      // Let go already, so that an error ends the stream.
      query = nil
      let models = try await running.next(Self.batchSize)
      if models.count == Self.batchSize { query = running }
      return models
    }
  }
}
