/// A table's side that does not depend on the model's type.
protocol TableOwner: AnyObject, Sendable {
  /// The model type's full name, for sentences.
  var model: String { get }

  /// Tells observers that something changed that cannot be told model by model.
  func tellUnknown(version: UInt64)
}
