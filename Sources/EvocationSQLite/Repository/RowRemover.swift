/// The two statements that remove a row and give it as it was.
///
/// `DELETE … RETURNING` would make a table for each row that it gives, which costs more than both.
struct RowRemover<Model> {
  let finder: RowFinder<Model>
  let delete: RowWriter<Model>

  /// Removes the row of a model's key; nil when there is none.
  func remove(_ model: Model) throws -> Model? {
    guard let held = try finder.held(model) else { return nil }
    _ = try delete.write(model)
    return held
  }
}
