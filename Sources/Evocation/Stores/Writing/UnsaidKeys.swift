/// The coding keys of which a service's answer says nothing, so that local keeps its values under them.
///
/// There are two cases: keys that the answer did not have, and keys of this device alone.
@usableFromInline package struct UnsaidKeys: Sendable {
  /// The name under which a result's metadata have the keys that the answer did not have.
  package static let name = "absentKeys"

  /// The keys of this device, which no answer has.
  package var ofAll: Set<String>

  /// The keys that the answer did not have, by model.
  package private(set) var ofEach: [ModelID: Set<String>] = [:]

  /// Whether the local store keeps which keys no answer had, for the comparison before an unsent write.
  package var isNoted: Bool

  /// Creates the keys of an answer.
  ///
  /// - Parameters:
  ///   - absent: The keys that the answer did not have, for each of the models; empty for none.
  ///   - models: The models of the answer.
  ///   - all: The keys of this device.
  ///   - isNoted: Whether the local store keeps the former.
  package init<Model: Sendable>(
    _ absent: [Set<String>], of models: [Model], local all: Set<String> = [], isNoted: Bool = false
  ) {
    (ofAll, self.isNoted) = (all, isNoted)
    guard absent.contains(where: { !$0.isEmpty }), let ids = ModelID.all(of: models) else { return }
    // Of a model that comes twice, the last one counts.
    for (id, keys) in zip(ids, absent) { ofEach[id] = keys.isEmpty ? nil : keys }
  }

  /// Returns an answer's metadata with the keys that the answer did not have.
  @usableFromInline package static func noted(
    _ absent: [Set<String>], in metadata: [String: any Sendable]
  ) -> [String: any Sendable] {
    metadata.merging([name: absent]) { $1 }
  }

  /// The keys of an answer that says everything.
  package static let none = UnsaidKeys([], of: [Int]())

  package var isEmpty: Bool { ofAll.isEmpty && ofEach.isEmpty }

  /// Returns the keys of which the answer says nothing for a model.
  func keys(of id: ModelID?) -> Set<String> {
    guard let own = id.flatMap({ ofEach[$0] }) else { return ofAll }
    return ofAll.isEmpty ? own : ofAll.union(own)
  }

  /// Returns the keys that the answer did not have for a model; nil for none.
  func absentKeys<Model: Sendable>(of model: Model) -> Set<String>? {
    ModelID.all(of: [model]).flatMap { ofEach[$0[0]] }
  }

  /// Returns the keys that the answer did not have, for each of its models; empty for none.
  package func absentKeys<Model: Sendable>(of models: [Model]) -> [Set<String>] {
    guard !ofEach.isEmpty, let ids = ModelID.all(of: models) else { return [] }
    return ids.map { ofEach[$0] ?? [] }
  }

  /// Returns models of an answer, completed with the values that are already known of each.
  ///
  /// - Parameters:
  ///   - models: The models as the answer has them.
  ///   - known: Returns the state that has the other values; nil for a new model.
  /// - Returns: The models, in the same order.
  package func completed<Model: Sendable>(
    _ models: [Model], from known: (Model) throws -> Model?
  ) rethrows -> [Model] {
    if isEmpty { return models }
    let ids = ModelID.all(of: models)
    return try models.indices.map { index in
      let keys = keys(of: ids?[index])
      guard !keys.isEmpty, let held = try known(models[index]) else { return models[index] }
      return Rebasing.completed(models[index], under: keys, from: held)
    }
  }
}
