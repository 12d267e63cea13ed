/// The id of a model whose type is not known to be `Identifiable`.
struct Identity: Hashable {
  let id: AnyHashable

  init(_ model: some Sendable) throws(EvocationError) {
    guard let model = model as? any Identifiable else {
      throw .notIdentifiable(model: "\(type(of: model))")
    }
    id = Self.id(of: model)
  }

  private static func id(of model: some Identifiable) -> AnyHashable {
    AnyHashable(model.id)
  }
}
