/// What a model has coded under one key.
package indirect enum Field: Sendable, Hashable {
  /// A single value; null for an optional without one.
  case scalar(Criteria.Scalar)

  /// What was coded without keys.
  case list([Field])

  /// What was coded with keys.
  case object(Fields)
}
