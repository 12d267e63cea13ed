extension Criteria {
  /// A place in an order: the last model of a page, by its sorted values and its id.
  ///
  /// Unlike an offset it stays where it was when models before it come or go. It is `Codable`, so
  /// it can be kept. Make one with ``Criteria/cursor(at:)``.
  public struct Cursor: Sendable, Hashable, Codable {
    /// The model's values for the keys of the order, the first one first.
    public let values: [Scalar]

    /// The model's id: one value, or several when the id is made of several properties.
    public let id: [Scalar]

    /// Makes a cursor from the values of the model that it stands at.
    public init(values: [Scalar], id: [Scalar]) {
      self.values = values
      self.id = id
    }
  }
}
