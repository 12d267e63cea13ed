/// A made-up value, and what was learnt while it was made.
struct SchemaSample<Value> {
  var value: Value
  var kind: ModelSchema.Kind
  var isOptional = false

  /// The same, when the value is of this type too.
  func `as`<Other>(_ type: Other.Type) -> SchemaSample<Other>? {
    (value as? Other).map { SchemaSample<Other>(value: $0, kind: kind, isOptional: isOptional) }
  }
}
