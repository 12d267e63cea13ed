import Synchronization

/// The models of an ``InMemoryRepository``: by id, and in the order of their ids.
struct InMemoryState<Model: Sendable>: Sendable {
  typealias Entry = StoredModel<Model>

  private(set) var ordered: [Entry] = []
  private var byID: [ModelID: Entry] = [:]

  /// Up to this many changes are made one by one in the ordered list; after more, it is sorted
  /// once.
  private static var few: Int { 8 }

  subscript(id: ModelID) -> Entry? { byID[id] }

  /// Throws when an id is there already, or twice among the entries.
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

  /// Updates the ordered list from the dictionary, with entries that were added.
  private mutating func sort(with added: [Entry]) {
    ordered = ordered.map { byID[$0.id] ?? $0 }
    if added.isEmpty { return }
    // An id that came twice was added once, and has its last entry.
    ordered += added.map { byID[$0.id] ?? $0 }
    ordered.sort { $0.id < $1.id }
  }

  /// Removes the entries with these ids, and gives them in the order of the ids.
  mutating func remove(_ ids: [ModelID]) -> [Entry] {
    let removed = ids.compactMap { byID.removeValue(forKey: $0) }
    if removed.count <= Self.few {
      for entry in removed { ordered.remove(at: position(of: entry.id)) }
    } else {
      ordered.removeAll { byID[$0.id] == nil }
    }
    return removed
  }

  /// The index of the id in the order, or the one where it would be inserted.
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
  /// The ids that are there already, or twice among the entries.
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

  /// The model's coded values; of two reads at the same time, the first result is kept.
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
