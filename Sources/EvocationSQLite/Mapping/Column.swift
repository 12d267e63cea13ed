internal import Evocation

/// One column of a model's table.
struct Column: Sendable, Hashable {
  /// The coding key.
  let name: String

  /// What stands under the key; a column of anything but single values holds JSON.
  let kind: ModelSchema.Kind
  let isOptional: Bool

  init(_ property: ModelSchema.Property) {
    name = property.name
    kind = property.kind
    isOptional = property.isOptional
  }

  /// The type as it stands in the table's definition.
  var type: String { kind.scalar?.columnType ?? "TEXT" }
}
