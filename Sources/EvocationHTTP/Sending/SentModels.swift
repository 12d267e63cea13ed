import Evocation

/// What the service is known to have of each model, by the model's id, for writes of what differs.
final class SentModels: Sendable {
  private let known = Lock(RecentValues<Fields>(room: 1024))

  /// Takes models as the service gave them, or as it was told.
  func learn(_ models: [(id: String, model: some Encodable)]) {
    let fields = models.map { (id: $0.id, fields: try? FieldEncoder.fields(of: $0.model)) }
    known.withLock { known in
      for (id, fields) in fields { known[id] = fields }
    }
  }

  /// Forgets all models.
  func forgetAll() { known.withLock { $0 = RecentValues(room: 1024) } }

  /// Forgets models.
  func forget(_ ids: [String]) {
    known.withLock { known in
      for id in ids { known[id] = nil }
    }
  }

  /// The coding keys under which a model differs from its base, or else from what is known; nil
  /// where neither is there.
  func changes(of model: some Encodable, _ id: String, base: (any Sendable)?) -> Set<String>? {
    let given = (base as? any Encodable).flatMap(Self.fields)
    guard let before = given ?? known.withLock({ $0.used(id) }),
      let now = try? FieldEncoder.fields(of: model)
    else { return nil }
    return Set((now.names + before.names).filter { now[$0] != before[$0] })
  }

  private static func fields(of model: any Encodable) -> Fields? {
    try? FieldEncoder.fields(of: model)
  }
}
