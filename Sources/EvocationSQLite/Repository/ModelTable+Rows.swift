internal import Evocation

/// Rows that the model's type may not be able to decode, as after a version of the app that had
/// another case.
///
/// Only finding such a model fails. Everything else needs no more than the key of its row, so it
/// replaces or removes the row, and tells observers of an unknown change.
extension ModelTable {
  /// Reads rows one after another until `body` returns false; a model is nil if it cannot be decoded.
  ///
  /// The statement has all columns of the row, in the plan's order.
  func forEachRow(
    _ query: SQLQuery, _ connection: Connection, _ body: (Model?, Statement) throws -> Bool
  ) throws {
    let (statement, decoder) = try prepare(query, connection)
    defer { finish(statement, decoder) }
    while try connection.step(statement, reading) {
      guard try body(mapping.readIfPossible(decoder), statement) else { break }
    }
  }

  /// Returns the key of a statement's present row, which has all columns.
  func key(_ row: Statement) -> RowKey { RowKey(row, at: plan.key) }

  /// Returns the key of a model's row.
  func key(of model: Model, _ connection: Connection) throws -> RowKey {
    let parameters = plan.key.map { _ in "?" }.joined(separator: ", ")
    // A statement keeps its encoder, so each table needs a text of its own.
    let sql = "SELECT \(parameters) AS \(plan.table.quoted)"
    let select = try writer(sql, connection, of: keyColumns)
    defer { select.statement.reset() }
    _ = try select.step(model)
    return RowKey(select.statement, at: Array(plan.key.indices))
  }

  /// Removes rows by their keys.
  func removeRows(_ keys: [RowKey], _ connection: Connection) throws {
    guard !keys.isEmpty else { return }
    try keys.inSteps(connection) { key in
      try connection.run(remove, key.values, action: "Writing the table \(plan.table.quoted)")
    }
    let lists = PageTable(connection, plan)
    guard isListable, try lists.hasLists else { return }
    try lists.unlist(keys.map { $0.values[0] })
  }
}

/// Finds the models of rows that cannot be decoded, by the keys of both.
final class UnreadableRows<Model: Codable & Identifiable & Sendable> {
  /// The keys of the rows without a model.
  private(set) var surplus: [RowKey] = []
  private let table: ModelTable<Model>
  private let connection: Connection
  private let models: [Model]
  private let kept: [Model]
  /// The positions of the models, found when the first row asks; none for those to keep.
  private var positions: [RowKey: Int?]?

  init(
    _ table: ModelTable<Model>, _ connection: Connection, models: [Model],
    keeping kept: [Model]
  ) {
    (self.table, self.connection, self.models, self.kept) = (table, connection, models, kept)
  }

  /// Returns the position of the row's model; nil for a row to keep, or one that is surplus.
  func model(of row: Statement) throws -> Int? {
    let positions = try positions ?? findPositions()
    self.positions = positions
    let key = table.key(row)
    guard let known = positions[key] else {
      surplus.append(key)
      return nil
    }
    return known
  }

  private func findPositions() throws -> [RowKey: Int?] {
    var positions: [RowKey: Int?] = [:]
    for model in kept { positions[try table.key(of: model, connection)] = .some(nil) }
    for index in models.indices {
      positions[try table.key(of: models[index], connection)] = .some(index)
    }
    return positions
  }
}

/// The values of the columns that identify a row, as they are stored.
///
/// Texts compare by their bytes.
struct RowKey: Hashable {
  let values: [SQLValue]

  init(_ values: [SQLValue]) { self.values = values }

  /// Reads the columns at these positions of the present row.
  init(_ row: Statement, at positions: [Int]) {
    values = positions.map { row.value(at: Int32($0)) }
  }

  static func == (left: RowKey, right: RowKey) -> Bool {
    left.values.elementsEqual(right.values) { left, right in
      guard case .text(let left) = left, case .text(let right) = right else { return left == right }
      return left.hasSameBytes(as: right)
    }
  }
}

extension RowMapping {
  /// Reads a model from the decoder's present row; nil if the row cannot be decoded.
  ///
  /// - Throws: ``SQLiteError`` if a mapping by hand does not fit the table.
  func readIfPossible(_ decoder: RowDecoder) throws -> Model? {
    do {
      return try read(decoder)
    } catch let error as SQLiteError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil
    }
  }
}
