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

  /// Creates the expression of a key, with the name of the row before its column if that is needed.
  init(_ target: ModelSchema.Target, table: String, row: String? = nil) {
    kind = target.kind
    isNested = target.isNested
    isNullable = target.isNested || target.property.isOptional
    column = "\(row ?? table.quoted).\(target.property.name.quoted)"
    let name = row == nil ? target.property.name.quoted : column
    path = ("$" + target.path.map { ".\"\($0)\"" }.joined()).literal
    guard isNested else {
      (value, raw) = (name, name)
      return
    }
    raw = "json_extract(\(name), \(path))"
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
