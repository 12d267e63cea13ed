internal import Evocation

/// One column of a model's table.
struct Column: Sendable, Hashable {
  /// The coding key.
  let name: String

  /// The kind of the property.
  ///
  /// A column holds JSON unless the property is a single value.
  let kind: ModelSchema.Kind
  let isOptional: Bool

  init(_ property: ModelSchema.Property) {
    name = property.name
    kind = property.kind
    isOptional = property.isOptional
  }

  /// The type as the table's definition declares it.
  var type: String { kind.scalar?.columnType ?? "TEXT" }
}
