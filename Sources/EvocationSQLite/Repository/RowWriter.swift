/// One statement that runs for one model after another.
struct RowWriter<Model> {
  let statement: Statement
  let encoder: RowEncoder
  let mapping: any RowMapping<Model>
  let connection: Connection
  let table: String

  /// Runs the statement with the model's values, and returns whether it wrote a row.
  func write(_ model: Model) throws -> Bool {
    defer { statement.reset() }
    _ = try step(model)
    return connection.changes > 0
  }

  /// Runs the statement as a commit of its own, and returns whether it wrote a row.
  ///
  /// It binds the values first, because that runs the app's code, and a commit holds a lock.
  func writeAlone(_ model: Model) throws -> Bool {
    defer { statement.reset() }
    try encoder.bind(model, by: mapping, to: statement, in: connection)
    try connection.committingAlone {
      defer { statement.reset() }
      _ = try connection.step(statement, "Writing the table \(table.quoted)")
    }
    return connection.changes > 0
  }

  /// Runs a statement of as many rows as there are models, and returns how many it wrote.
  func write(_ models: ArraySlice<Model>) throws -> Int64 {
    defer { statement.reset() }
    try encoder.bind(models, by: mapping, to: statement, in: connection)
    _ = try connection.step(statement, "Writing the table \(table.quoted)")
    return connection.changes
  }

  /// Begins to run the statement, which the caller must reset; returns whether there is a row.
  func step(_ model: Model) throws -> Bool {
    try encoder.bind(model, by: mapping, to: statement, in: connection)
    return try connection.step(statement, "Writing the table \(table.quoted)")
  }
}

/// The statement that reads the row of a model's key.
struct RowFinder<Model> {
  let select: RowWriter<Model>
  let decoder: RowDecoder

  /// Returns whether the table has a row with a model's key.
  func finds(_ model: Model) throws -> Bool {
    defer { select.statement.reset() }
    return try select.step(model)
  }

  /// Reads the table's row with a model's key.
  func held(_ model: Model) throws -> HeldRow<Model> {
    var row = HeldRow<Model>.missing
    try forEach([model]) { row = $1.map { .model($0) } ?? .unreadable }
    return row
  }

  /// Reads the table's rows with the keys of models.
  ///
  /// `body` gets the model's place, and what its row has; nil for a row that the type cannot decode.
  func forEach(_ models: [Model], _ body: (Int, Model?) throws -> Void) throws {
    let statement = select.statement
    var place = 0
    while place < models.count {
      defer {
        decoder.source.handle = nil
        statement.reset()
      }
      if try select.step(models[place]) {
        decoder.source.handle = statement.handle
        try body(place, select.mapping.readIfPossible(decoder))
      }
      place += 1
    }
  }
}

/// What a table has under a model's key.
enum HeldRow<Model> {
  case missing
  case model(Model)
  /// A row that the type cannot decode.
  case unreadable
}
