/// The changes that a write makes to an ``InMemoryState``, before they are applied.
///
/// A write fails before anything is changed. The changes are then applied in place.
struct InMemoryEdits<Model: Sendable>: Sendable {
  typealias Entry = StoredModel<Model>

  /// The entries as they are afterwards; nil for removed ones.
  private var changed: [ModelID: Entry?] = [:]
  /// The ids of the changed entries, in the order of the write's changes.
  private var order: [ModelID] = []

  func entry(_ id: ModelID, in base: InMemoryState<Model>) -> Entry? {
    if let changed = changed[id] { changed } else { base[id] }
  }

  /// Throws if an id exists already, or occurs twice among the entries.
  func checkNew(
    _ entries: [Entry], in base: InMemoryState<Model>
  ) throws(EvocationError) {
    let duplicates = entries.repeatedIDs { entry($0, in: base) != nil }
    guard duplicates.isEmpty else { throw .alreadyExists(duplicates.map { $0.description }) }
  }

  mutating func put(_ entries: [Entry]) {
    for entry in entries { set(entry, entry.id) }
  }

  /// Removes the entries that exist, and returns them.
  mutating func remove(_ ids: [ModelID], from base: InMemoryState<Model>) -> [Entry] {
    var removed: [Entry] = []
    for id in ids {
      guard let entry = entry(id, in: base) else { continue }
      set(nil, id)
      removed.append(entry)
    }
    return removed
  }

  /// Returns all entries as they are afterwards, in the order of their ids.
  func ordered(over base: InMemoryState<Model>) -> [Entry] {
    if changed.isEmpty { return base.ordered }
    var entries = base.ordered.compactMap { entry in
      if let changed = changed[entry.id] { changed } else { entry }
    }
    let added = order.compactMap { id in base[id] == nil ? changed[id] ?? nil : nil }
    guard !added.isEmpty else { return entries }
    entries += added
    entries.sort { $0.id < $1.id }
    return entries
  }

  /// Changes the state, and returns what that changed.
  func apply(to state: inout InMemoryState<Model>) -> StoreChanges<Model> {
    var changes = state.put(order.compactMap { changed[$0] ?? nil })
    changes.removed = state.remove(order.filter { (changed[$0] ?? nil) == nil }).map { $0.model }
    return changes
  }

  private mutating func set(_ entry: Entry?, _ id: ModelID) {
    if changed.updateValue(entry, forKey: id) == nil { order.append(id) }
  }
}
