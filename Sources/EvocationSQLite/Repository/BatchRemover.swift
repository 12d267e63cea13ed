internal import Evocation

/// The statements that remove many rows at a time, if a model's id is the number of its row.
struct BatchRemover<Model: Codable & Identifiable & Sendable> {
  /// How many rows one statement removes.
  ///
  /// More rows gain little.
  static var size: Int { 250 }

  private let table: ModelTable<Model>
  private let connection: Connection
  private let column: Int32
  private let select: Statement
  private let selectRange: Statement
  private let delete: Statement
  private let deleteRange: Statement

  /// Prepares the statements; nil if ids are not the numbers of rows.
  init?(_ table: ModelTable<Model>, _ connection: Connection) throws {
    guard let column = table.plan.rowID, table.plan.columns[column].kind == .scalar(.integer),
      Model.hasNumericID
    else { return nil }
    self.table = table
    self.connection = connection
    self.column = Int32(column)
    select = try connection.statement(table.plan.select(rowIDs: Self.size))
    selectRange = try connection.statement(table.plan.selectRange)
    delete = try connection.statement(table.plan.remove(rowIDs: Self.size))
    deleteRange = try connection.statement(table.plan.removeRange)
  }

  /// Removes the rows of at most ``size`` models, and appends the removed models to `removed`.
  ///
  /// Returns false, and changes nothing, in two cases. The ids do not increase, so the rows would
  /// have another order. Or a model's coding has another id than the model.
  func remove(_ models: ArraySlice<Model>, into removed: inout ModelList<Model>) throws -> Bool {
    guard let ids = Self.increasingIDs(models), let first = models.first, try isCoded(first),
      let from = ids.first, let to = ids.last
    else { return false }
    // Without a gap the two ends identify all rows. SQLite then finds and removes them in half the
    // time.
    let isRange = to.subtractingReportingOverflow(from) == (Int64(ids.count - 1), false)
    let count = removed.count
    guard try read(isRange ? [from, to] : ids, isRange ? selectRange : select, into: &removed)
    else {
      removed.removeLast(removed.count - count)
      return false
    }
    if removed.count > count {
      try run(isRange ? [from, to] : ids, isRange ? deleteRange : delete)
    }
    return true
  }

  /// Returns the ids; nil if they do not increase.
  private static func increasingIDs(_ models: ArraySlice<Model>) -> [Int64]? {
    models.withUnsafeBufferPointer { models in
      var ids: [Int64] = []
      ids.reserveCapacity(models.count)
      for index in models.indices {
        let id = models[index].numericID
        if let last = ids.last, id <= last { return nil }
        ids.append(id)
      }
      return ids
    }
  }

  /// Whether the model's coding has the same id as the model.
  private func isCoded(_ model: Model) throws -> Bool {
    try table.keyValues(of: model, connection) == [.integer(model.numericID)]
  }

  /// Reads the existing rows; false if rows and models disagree on their ids.
  private func read(
    _ ids: [Int64], _ select: Statement, into removed: inout ModelList<Model>
  ) throws -> Bool {
    let decoder = table.decoder(select)
    bind(ids, to: select)
    decoder.source.handle = select.handle
    defer {
      decoder.source.handle = nil
      select.reset()
    }
    var last: Int64?
    while try connection.step(select, table.reading) {
      let model = try table.mapping.read(decoder)
      let id = select.integer(at: column)
      guard id == model.numericID, last.map({ $0 < id }) ?? true else { return false }
      last = id
      removed.append(model)
    }
    return true
  }

  private func run(_ ids: [Int64], _ statement: Statement) throws {
    defer { statement.reset() }
    bind(ids, to: statement)
    _ = try connection.step(statement, "Writing the table \(table.plan.table.quoted)")
  }

  /// Binds the ids, and repeats the last one for each remaining parameter.
  private func bind(_ ids: [Int64], to statement: Statement) {
    let last = ids.count - 1
    for index in 0..<Int(statement.parameterCount) {
      statement.bind(ids[Swift.min(index, last)], at: Int32(index + 1))
    }
  }
}

extension Identifiable {
  /// Whether ids are whole numbers of 64 bits.
  static var hasNumericID: Bool { ID.self == Int64.self || ID.self == Int.self }

  /// The id.
  ///
  /// Use it only if ``hasNumericID`` is true.
  @inline(__always)
  var numericID: Int64 {
    // Both types are 64 bits wide. "remove, Evocation" needs it: a cast would look up the type for
    // each model, and one cast of all ids together took a tenth longer.
    unsafeBitCast(id, to: Int64.self)
  }
}

extension Array where Element: Identifiable {
  /// Whether ids are whole numbers and each is greater than the one before, as they often are.
  var hasIncreasingIDs: Bool {
    guard Element.hasNumericID else { return false }
    var last = Int64.min
    var index = 0
    while index < count {
      let id = self[index].numericID
      if index > 0, id <= last { return false }
      last = id
      index += 1
    }
    return true
  }
}
