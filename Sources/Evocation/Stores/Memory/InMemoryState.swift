import Synchronization

/// The models of an ``InMemoryRepository``: by id, and in the order of their ids.
struct InMemoryState<Model: Sendable>: Sendable {
  typealias Entry = StoredModel<Model>

  private(set) var ordered: [Entry] = []
  private var byID: [ModelID: Entry] = [:]

  /// The number of changes up to which each is made in the ordered list; above, it is sorted once.
  private static var few: Int { 8 }

  subscript(id: ModelID) -> Entry? { byID[id] }

  /// Throws if an id exists already, or occurs twice among the entries.
  func checkNew(_ entries: [Entry]) throws(EvocationError) {
    let duplicates = entries.repeatedIDs { byID[$0] != nil }
    guard duplicates.isEmpty else { throw .alreadyExists(duplicates.map { $0.description }) }
  }

  /// Adds entries, in place of those with the same ids.
  @discardableResult
  mutating func put(_ entries: [Entry]) -> StoreChanges<Model> {
    var changes = StoreChanges<Model>()
    let isFew = entries.count <= Self.few
    var added: [Entry] = []
    for entry in entries {
      let old = byID.updateValue(entry, forKey: entry.id)
      let isNew = old == nil
      if let old {
        changes.updated.append(.init(before: old.model, after: entry.model))
      } else {
        changes.stored.append(entry.model)
      }
      guard isFew else {
        if isNew { added.append(entry) }
        continue
      }
      let index = position(of: entry.id)
      if isNew { ordered.insert(entry, at: index) } else { ordered[index] = entry }
    }
    if !isFew { sort(with: added) }
    return changes
  }

  /// Updates the ordered list from the dictionary, and adds new entries.
  private mutating func sort(with added: [Entry]) {
    ordered = ordered.map { byID[$0.id] ?? $0 }
    if added.isEmpty { return }
    // An id that occurred twice was added once, and has its last entry.
    ordered += added.map { byID[$0.id] ?? $0 }
    ordered.sort { $0.id < $1.id }
  }

  /// Removes the entries with these ids, and returns them in the order of the ids passed.
  mutating func remove(_ ids: [ModelID]) -> [Entry] {
    let removed = ids.compactMap { byID.removeValue(forKey: $0) }
    if removed.count <= Self.few {
      for entry in removed { ordered.remove(at: position(of: entry.id)) }
    } else {
      ordered.removeAll { byID[$0.id] == nil }
    }
    return removed
  }

  /// Returns the index of the id in the order, or the index at which to insert it.
  private func position(of id: ModelID) -> Int {
    var (low, high) = (0, ordered.count)
    while low < high {
      let middle = (low + high) / 2
      if ordered[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Array {
  /// Returns the ids that exist already, or occur twice among the entries.
  func repeatedIDs<Model>(
    _ isThere: (ModelID) -> Bool
  ) -> [ModelID] where Element == StoredModel<Model> {
    if count == 1 { return isThere(self[0].id) ? [self[0].id] : [] }
    var seen: Set<ModelID> = []
    var reported: Set<ModelID> = []
    return map { $0.id }.filter { id in
      let isNew = seen.insert(id).inserted
      return (isThere(id) || !isNew) && reported.insert(id).inserted
    }
  }
}

/// A model in memory, with its id and, once they were needed, its coded values.
final class StoredModel<Model: Sendable>: Sendable {
  let model: Model
  let id: ModelID

  private let coded = AtomicLazyReference<CodedFields>()

  init(_ model: Model, id: ModelID) {
    self.model = model
    self.id = id
  }

  /// Returns the model's coded values.
  ///
  /// If two reads code them at the same time, the first is kept.
  func fields(_ code: (Model) throws -> Fields) rethrows -> Fields {
    if let known = coded.load() { return known.fields }
    return coded.storeIfNil(CodedFields(try code(model))).fields
  }
}

/// Holds coded values, because an atomic reference needs a class.
private final class CodedFields: Sendable {
  let fields: Fields

  init(_ fields: Fields) {
    self.fields = fields
  }
}
