internal import Evocation

/// The SQL for a key of criteria.
struct SQLExpression {
  let kind: ModelSchema.Kind
  let isNested: Bool

  /// Whether it may be null, as every nested value may.
  let isNullable: Bool

  /// The value, in the form in which it compares; null for a list and an object.
  let value: String

  /// The value before it is made comparable: null only if there is no value at all.
  let raw: String

  /// The column, with the table's name, and the path in it.
  private let column: String
  private let path: String

  init(_ target: ModelSchema.Target, table: String) {
    kind = target.kind
    isNested = target.isNested
    isNullable = target.isNested || target.property.isOptional
    let name = target.property.name.quoted
    column = "\(table.quoted).\(name)"
    path = target.jsonPath
    raw = target.plain(name)
    guard isNested else {
      value = name
      return
    }
    switch kind {
    case .scalar(let kind): value = kind.nested("\(name) -> \(path)", plain: raw)
    case .json: value = "evocation_json(\(name) -> \(path))"
    case .list, .object: value = raw
    }
  }

  /// A condition that is true if there is no value.
  var isNull: SQLQuery { isNullable ? SQLQuery("\(raw) IS NULL") : .never }

  /// A condition that is true if there is a value.
  var isNotNull: SQLQuery { isNullable ? SQLQuery("\(raw) IS NOT NULL") : .always }

  /// The table of a list's elements, with the name `evocation_element`.
  var elements: String { "json_each(\(column), \(path)) AS evocation_element" }

  /// Returns one element in the form in which it compares.
  func element(of kind: ModelSchema.Kind) -> String {
    let json = "evocation_element.json -> evocation_element.fullkey"
    return switch kind {
    case .scalar(let kind): kind.nested(json, plain: "evocation_element.value")
    case .list, .object, .json: "evocation_json(\(json))"
    }
  }

  /// A condition that is true for a list, and false for a single value.
  var isList: String { "json_type(\(column), \(path)) = 'array'" }
}
