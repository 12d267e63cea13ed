/// Whether models are equal, by the `==` of their type.
package enum ModelEquality {
  /// How models of a type are compared; nil where the type has no `==`.
  package static func of<Model: Sendable>(
    _ type: Model.Type
  ) -> (@Sendable (Model, Model) -> Bool)? {
    func opened<Known: Equatable>(_ known: Known.Type) -> @Sendable (Model, Model) -> Bool {
      { left, right in
        // The types are the same, which a cast of each model would find out anew.
        guard let left = left as? Known, let right = right as? Known else { return false }
        return left == right
      }
    }
    return (type as? any Equatable.Type).map { opened($0) }
  }
}
