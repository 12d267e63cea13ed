/// The coding keys of which a service's answer says nothing, so that local keeps its values under them.
///
/// There are two cases: keys that the answer did not have, and keys of this device alone.
@usableFromInline package struct UnsaidKeys: Sendable {
  /// The name under which a result's metadata have the keys that the answer did not have.
  package static let name = "absentKeys"

  /// The keys of this device, which no answer has.
  package var ofAll: Set<String>

  /// The answer, if it did not have all keys of its models, or all models.
  private let answer: Summaries?

  /// Whether the local store keeps which keys no answer had, for the comparison before an unsent write.
  package var isNoted: Bool

  /// Creates the keys of an answer.
  ///
  /// - Parameters:
  ///   - absent: The keys that the answer did not have, for each of the models; empty for none.
  ///   - models: The models of the answer.
  ///   - all: The keys of this device.
  ///   - isNoted: Whether the local store keeps the former.
  ///   - leftOut: What the answer had besides the models; nil for nothing.
  package init<Model: Sendable>(
    _ absent: [Set<String>], of models: [Model], local all: Set<String> = [], isNoted: Bool = false,
    leftOut: LeftOut? = nil
  ) {
    (ofAll, self.isNoted) = (all, isNoted)
    let isWhole = absent.allSatisfy(\.isEmpty) && leftOut == nil
    answer =
      isWhole || !(Model.self is any Identifiable.Type)
      ? nil : Summaries(absent, of: models, leftOut: leftOut)
  }

  /// Returns an answer's metadata with the keys that the answer did not have.
  @usableFromInline package static func noted(
    _ absent: [Set<String>], in metadata: [String: any Sendable]
  ) -> [String: any Sendable] {
    metadata.merging([name: absent]) { $1 }
  }

  /// The keys of an answer that says everything.
  package static let none = UnsaidKeys([], of: [Int]())

  package var isEmpty: Bool { ofAll.isEmpty && isWhole }

  /// Whether the answer had all keys of its models.
  var isWhole: Bool { answer == nil }

  /// What the answer had besides its models; nil for nothing.
  package var leftOut: LeftOut? { answer?.leftOut }

  /// Returns the criteria of the models that the answer shows to be gone; nil if it shows none.
  ///
  /// A model that the answer has and that cannot be read is not gone.
  package func removable(_ criteria: Criteria) -> Criteria? {
    guard let answer else { return criteria }
    return answer.leftOut?.hasUnknown == true
      ? nil : answer.spared.map { criteria && $0 } ?? criteria
  }

  /// Returns the keys that the answer did not have for a model; nil for none.
  func absentKeys<Model: Sendable>(of model: Model) -> Set<String>? {
    absentKeys(of: [model]).first.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the keys that the answer did not have, for each of its models; empty for none.
  package func absentKeys<Model: Sendable>(of models: [Model]) -> [Set<String>] {
    answer?.absentKeys(of: models) ?? []
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
    try completed(models) { models in
      var all: [Int: Model] = [:]
      for (place, model) in models.enumerated() { all[place] = try known(model) }
      return all
    }
  }

  /// Does the same with a function that returns the states of many models, by their places.
  func completed<Model: Sendable>(
    _ models: [Model], fromAll known: ([Model]) throws -> [Int: Model]
  ) rethrows -> [Model] {
    if isEmpty { return models }
    let absent = absentKeys(of: models)
    func keys(_ place: Int) -> Set<String> {
      let keys = absent.indices.contains(place) ? absent[place] : []
      return ofAll.isEmpty ? keys : keys.union(ofAll)
    }
    let places = models.indices.filter { !keys($0).isEmpty }
    let lacking = places.count == models.count ? models : places.map { models[$0] }
    var whole = models
    for (index, held) in try known(lacking) {
      let place = places[index]
      whole[place] = Rebasing.completed(models[place], under: keys(place), from: held)
    }
    return whole
  }
}

/// An answer that did not have all keys of its models, or not all models.
private final class Summaries: Sendable {
  let leftOut: LeftOut?
  /// The condition that none of the models meets that were left out; nil for no such model.
  let spared: Criteria?
  private let absent: [Set<String>]
  private let models: any Sendable
  private let ids: @Sendable () -> [ModelID]?
  private let byID = Lock<[ModelID: Set<String>]?>(nil)

  init<Model: Sendable>(_ absent: [Set<String>], of models: [Model], leftOut: LeftOut?) {
    (self.absent, self.models, self.leftOut) = (absent, models, leftOut)
    let ids = leftOut?.ids ?? []
    let key = ids.isEmpty ? nil : ModelAccess<Model>.make()?.identity.key
    spared = key.map { Criteria(.not(.isIn($0, ids))) }
    self.ids = { ModelID.all(of: models) }
  }

  /// Returns the keys that the answer did not have, for each of these models of it.
  func absentKeys<Model: Sendable>(of models: [Model]) -> [Set<String>] {
    // Mostly they are all of them, and to compare ids costs a tenth of a page (`prefetch 100,000`).
    if let all = self.models as? [Model], all.isSame(as: models), all.count == absent.count {
      return absent
    }
    guard let ids = ModelID.all(of: models) else { return [] }
    let known = keysByID()
    return ids.map { known[$0] ?? [] }
  }

  private func keysByID() -> [ModelID: Set<String>] {
    if let known = byID.withLock({ $0 }) { return known }
    var known: [ModelID: Set<String>] = [:]
    // Of a model that comes twice, the last one counts.
    for (id, keys) in zip(ids() ?? [], absent) { known[id] = keys.isEmpty ? nil : keys }
    byID.withLock { $0 = known }
    return known
  }
}

extension Array {
  /// Whether both are one array, and not two with equal elements.
  fileprivate func isSame(as other: [Element]) -> Bool {
    withUnsafeBufferPointer { left in
      other.withUnsafeBufferPointer { right in
        left.count == right.count && left.baseAddress == right.baseAddress
      }
    }
  }
}
