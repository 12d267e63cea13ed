internal import Evocation

/// Where each key of a mapping by hand stands in one statement, and which were written.
///
/// As with ``KeyTable``, a key of one byte finds its column without its name.
final class PlaceTable {
  let table: String
  let model: String

  /// The place for each byte that a key may be.
  let places: UnsafeMutablePointer<ColumnPlace>

  private let columns: ColumnTable
  private var names: [String: ColumnPlace] = [:]

  /// For each column of the statement, the row that was written there last.
  private let marks: UnsafeMutablePointer<UInt32>

  /// For each column of the statement, a type that it is known to hold.
  private var types: [ObjectIdentifier?]
  private var row: UInt32 = 0
  private var written = 0

  init<Key: CodingKey & CaseIterable>(
    _ columns: ColumnTable, _ keys: Key.Type, table: String, model: String
  ) {
    self.columns = columns
    self.table = table
    self.model = model
    places = .allocate(capacity: 256)
    places.initialize(repeating: .unknown, count: 256)
    types = Array(repeating: nil, count: columns.positions.count)
    marks = .allocate(capacity: columns.positions.count)
    marks.initialize(repeating: 0, count: columns.positions.count)
    for key in Key.allCases {
      let place = place(named: key.stringValue)
      names[key.stringValue] = place
      if MemoryLayout<Key>.size == 1 { places[Int(unsafeBitCast(key, to: UInt8.self))] = place }
    }
  }

  deinit {
    places.deallocate()
    marks.deallocate()
  }

  /// The place of a key that is more than one byte.
  func place(of name: String) -> ColumnPlace { names[name] ?? .unknown }

  /// Begins a row in which nothing is written.
  func beginRow() {
    row &+= 1
    if row == 0 {
      marks.update(repeating: 0, count: columns.positions.count)
      row = 1
    }
    written = 0
  }

  /// Notes that a column is written; false when it was already.
  @inline(__always)
  func mark(_ place: ColumnPlace) -> Bool {
    let position = Int(place.position)
    if marks[position] == row { return false }
    marks[position] = row
    written += 1
    return true
  }

  /// Throws when a column of the statement was not written.
  @inline(__always)
  func endRow() throws {
    if written != columns.positions.count { throw incomplete }
  }

  /// The column that stands at a place of the statement.
  func column(_ place: Int) -> Column { columns.columns[columns.positions[place]] }

  /// The columns of the statement that were not written.
  var missing: [Column] {
    columns.positions.indices.filter { marks[$0] != row }.map(column)
  }

  /// Throws when a column does not hold values of this type; found out once for each of both.
  @inline(__always)
  func check<Value: Decodable>(
    _ place: ColumnPlace, _ type: Value.Type, isWriting: Bool
  ) throws {
    if place.isUnknown { throw unknownKey }
    if types[Int(place.position)] == ObjectIdentifier(type) { return }
    try learn(place, type, isWriting)
  }

  private func learn<Value: Decodable>(
    _ place: ColumnPlace, _ type: Value.Type, _ isWriting: Bool
  ) throws {
    // JSON takes any type, and it is that type's coding which knows whether it can be read.
    if !place.holds(.json) {
      let kind = try ModelSchema.of(Holder<Value>.self).properties.first?.kind
      guard let kind, place.holds(Column.Storage(kind)) else {
        throw misfit(place, type, isWriting)
      }
    }
    types[Int(place.position)] = ObjectIdentifier(type)
  }

  private func place(named name: String) -> ColumnPlace {
    let entry = columns.entry(name)
    guard entry >= 0 else {
      return columns.columns.contains { $0.name == name } ? .elsewhere : .unknown
    }
    let position = Int(entry & ~KeyTable.jsonFlag)
    return ColumnPlace(position, columns.columns[columns.positions[position]].storage)
  }
}

/// Lends a type a key, so that its kind can be read off it.
private struct Holder<Value: Decodable>: Decodable {
  let value: Value
}
