import Foundation

/// The outbox entries of an ``InMemoryRepository``, as a value.
struct InMemoryQueue<Model: Sendable>: Sendable {
  private var entries: [Int64: (entry: Outbox.Entry<Model>, key: ByteText)] = [:]
  /// The positions in their order.
  private var order: [Int64] = []
  private var positions: [ByteText: [Int64]] = [:]
  private var last: Int64 = 0
  var lease: OutboxLease?
  var isHeld = false

  var isEmpty: Bool { entries.isEmpty }

  var count: OutboxCount {
    let parked = entries.values.count { $0.entry.isParked }
    return OutboxCount(
      pending: entries.count - parked, parked: parked,
      oldest: order.first.flatMap { entries[$0]?.entry.queuedAt })
  }

  func entries(of key: ByteText) -> [Outbox.Entry<Model>] {
    (positions[key] ?? []).compactMap { entries[$0]?.entry }
  }

  func hasEntries(of key: ByteText) -> Bool { positions[key] != nil }

  func entries(referringTo reference: Outbox.Reference) -> [Outbox.Entry<Model>] {
    order.compactMap { entries[$0]?.entry }.filter { $0.references.contains(reference) }
  }

  func entries(
    after position: Int64, onlyHeads: Bool, limit: Int
  ) -> [Outbox.Entry<Model>] {
    var found: [Outbox.Entry<Model>] = []
    for number in order[index(after: position)...] {
      if found.count >= limit { break }
      guard let (entry, key) = entries[number] else { continue }
      if onlyHeads, entry.isParked || positions[key]?.first != number { continue }
      found.append(entry)
    }
    return found
  }

  /// Adds an entry behind all others, and gives its position.
  mutating func append(_ entry: Outbox.Entry<Model>, _ key: ByteText) -> Int64 {
    last += 1
    var entry = entry
    entry.position = last
    entries[last] = (entry, key)
    order.append(last)
    positions[key, default: []].append(last)
    return last
  }

  /// Replaces the entry at its position, and gives the old one; nil, and nothing done, without one.
  mutating func replace(
    _ entry: Outbox.Entry<Model>, _ key: ByteText
  ) -> (entry: Outbox.Entry<Model>, key: ByteText)? {
    guard let old = entries[entry.position] else { return nil }
    entries[entry.position] = (entry, key)
    if old.key != key {
      remove(entry.position, from: old.key)
      insert(entry.position, into: key)
    }
    return old
  }

  /// Deletes the entry at a position, and gives it.
  mutating func delete(_ position: Int64) -> (entry: Outbox.Entry<Model>, key: ByteText)? {
    guard let old = entries.removeValue(forKey: position) else { return nil }
    let index = index(after: position) - 1
    if order.indices.contains(index), order[index] == position { order.remove(at: index) }
    remove(position, from: old.key)
    return old
  }

  /// Puts an entry that was deleted back at its position.
  mutating func restore(_ entry: Outbox.Entry<Model>, _ key: ByteText) {
    entries[entry.position] = (entry, key)
    order.insert(entry.position, at: index(after: entry.position))
    insert(entry.position, into: key)
  }

  private mutating func insert(_ position: Int64, into key: ByteText) {
    let index = positions[key]?.firstIndex { $0 > position } ?? positions[key]?.count ?? 0
    positions[key, default: []].insert(position, at: index)
  }

  private mutating func remove(_ position: Int64, from key: ByteText) {
    positions[key]?.removeAll { $0 == position }
    if positions[key]?.isEmpty == true { positions[key] = nil }
  }

  /// The index in the order of the first position that is greater.
  private func index(after position: Int64) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Outbox.Entry {
  /// Whether it is not sent again by itself.
  package var isParked: Bool {
    if case .parked = state { true } else { false }
  }
}
