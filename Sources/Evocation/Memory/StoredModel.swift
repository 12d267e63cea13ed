import Synchronization

/// A model as it is held in memory, with its id and, once they were asked for, its coded values.
final class StoredModel<Model: Sendable>: Sendable {
  let model: Model
  let id: ModelID

  private let coded = AtomicLazyReference<CodedFields>()

  init(_ model: Model, id: ModelID) {
    self.model = model
    self.id = id
  }

  /// What the model codes; of two reads at the same time, the first to be done is kept.
  func fields(_ code: (Model) throws -> Fields) rethrows -> Fields {
    if let known = coded.load() { return known.fields }
    return coded.storeIfNil(CodedFields(try code(model))).fields
  }
}

/// Coded values where a reference is needed.
private final class CodedFields: Sendable {
  let fields: Fields

  init(_ fields: Fields) {
    self.fields = fields
  }
}
