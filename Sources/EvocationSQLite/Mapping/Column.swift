internal import Evocation

/// One column of a model's table.
struct Column: Sendable, Hashable {
  /// How a column holds its values.
  enum Storage: UInt8, Sendable, Hashable {
    case bool, integer, unsigned, real, decimal, text, uuid, url, date, data, json
  }

  /// The coding key.
  let name: String
  let kind: ModelSchema.Kind
  let storage: Storage
  let isOptional: Bool

  init(_ property: ModelSchema.Property) {
    name = property.name
    kind = property.kind
    storage = Storage(property.kind)
    isOptional = property.isOptional
  }

  /// The type as it stands in the table's definition.
  ///
  /// A number that may be a blob is called `INT`, because an `INTEGER` that is the primary key
  /// takes nothing but integers.
  var type: String {
    switch storage {
    case .bool, .integer: "INTEGER"
    case .unsigned: "INT"
    case .real, .date: "REAL"
    case .text, .url, .json: "TEXT"
    case .decimal: "TEXT COLLATE evocation_decimal"
    case .uuid, .data: "BLOB"
    }
  }
}

extension Column.Storage {
  init(_ kind: ModelSchema.Kind) {
    self =
      switch kind {
      case .bool: .bool
      case .integer: .integer
      case .unsigned: .unsigned
      case .real: .real
      case .decimal: .decimal
      case .text: .text
      case .uuid: .uuid
      case .url: .url
      case .date: .date
      case .data: .data
      case .list, .object, .json: .json
      }
  }
}
