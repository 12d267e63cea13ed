/// Applies unsent writes on top of the server's answers to reads.
///
/// Models with entries appear as the local store has them: in the position that the criteria ask
/// for, added if they match, and left out if they no longer do or were removed.
package struct UnsentOverlay<Model: Sendable>: Sendable {
  private let access: ModelAccess<Model>
  private let criteria: Criteria
  /// Models that were sent during the request, so that the server's answer may be older.
  private let settled: [Model]

  /// Creates the overlay of one read; nil for models without an id, which are never queued.
  package init?(_ criteria: Criteria, settled: [Model]) {
    guard let access = ModelAccess<Model>.make() else { return nil }
    self.access = access
    self.criteria = criteria
    self.settled = settled
  }

  /// An answer with unsent writes applied.
  package struct Shown: Sendable {
    package let models: [Model]
    /// How many more models to request, because unsent writes took models out of the answer.
    package let missing: Int
  }

  /// Returns the answer with unsent writes applied; nil if none concern it.
  ///
  /// `asked` is the largest number of models that the request asked for.
  package func shown(
    _ answer: [Model], asked: Int?, in transaction: any OutboxTransaction<Model>
  ) throws -> Shown? {
    guard let mine = try mine(in: transaction) else { return nil }
    let resolved = try criteria.resolved(against: access.schema)
    let isUnsent = try answer.map { try mine.has($0, in: transaction) }
    var shown = try mine.models(matching: resolved, access)
    if criteria.predicate?.parameter != nil {
      // Only the service knows what its parameters find, so nothing else is added to its answer.
      let found = Set(try answer.map { try transaction.instance(of: $0) })
      shown = try shown.filter { found.contains(try transaction.instance(of: $0)) }
    }
    guard isUnsent.contains(true) || !shown.isEmpty else { return nil }
    let merging = Merging(criteria: resolved, access: access)
    let merged = try merging.merge(answer, isUnsent, mine: shown)
    guard let asked, let limit = resolved.limit, answer.count >= asked, resolved.offset == 0,
      try merging.certain(of: merged, behind: answer) < limit
    else { return Shown(models: merged, missing: 0) }
    return Shown(models: merged, missing: isUnsent.count { $0 })
  }

  /// Returns the server's count with unsent writes applied.
  package func count(
    _ count: Int, in transaction: any OutboxTransaction<Model>
  ) throws -> Int {
    guard let mine = try mine(in: transaction) else { return count }
    try criteria.predicate?.refuseOpaque(
      access.schema.model,
      words: "unsent writes cannot be counted among what the server found; find the models instead")
    let resolved = try criteria.resolved(against: access.schema)
    let present = try mine.models(matching: resolved, access).count
    let absent = try bases(in: transaction).count { try matches($0, resolved) }
    let total = max(0, count.addingClamped(present.subtractingClamped(absent)))
    return resolved.limit.map { min(total, max(0, $0)) } ?? total
  }

  private func mine(in transaction: any OutboxTransaction<Model>) throws -> UnsentModels<Model>? {
    if settled.isEmpty, try transaction.isEmpty { return nil }
    var settled: [ByteText: Model?] = [:]
    // Whether these have the words of a search, only the server's answer says.
    let isOpaque = criteria.predicate?.isOpaque == true
    for model in isOpaque ? [] : self.settled {
      settled[try transaction.instance(of: model)] = .some(try transaction.held(model))
    }
    var scope = criteria.withoutParameters
    (scope.limit, scope.offset) = (nil, 0)
    return UnsentModels(
      unsent: try transaction.unsent(matching: scope).filter {
        try settled[transaction.instance(of: $0)] == nil
      }, settled: settled)
  }

  /// Returns what the server is believed to have of each instance with entries.
  private func bases(in transaction: any OutboxTransaction<Model>) throws -> [Model] {
    var (bases, seen, position) = ([Model](), Set<ByteText>(), Int64.min)
    while true {
      let records = try transaction.records(after: position, limit: 1_000)
      guard let last = records.last else { return bases }
      for entry in records.compactMap(\.entry)
      where seen.insert(try transaction.instance(of: entry.model)).inserted {
        if let seen = entry.seen { bases.append(seen) }
      }
      position = last.position
    }
  }

  private func matches(_ model: Model, _ criteria: Criteria) throws -> Bool {
    guard let predicate = criteria.predicate else { return true }
    return try predicate.matches(access.fields(model))
  }
}

/// The models whose state in the local store counts, whatever the server returns.
private struct UnsentModels<Model: Sendable> {
  /// The models that have entries and match.
  let unsent: [Model]
  /// The models sent during the request by their keys, as the local store has them; nil if it has
  /// none.
  let settled: [ByteText: Model?]

  func has(_ model: Model, in transaction: any OutboxTransaction<Model>) throws -> Bool {
    let key = try transaction.instance(of: model)
    if settled[key] != nil { return true }
    return try !transaction.records(of: key.text).isEmpty && !transaction.isSetAside(model)
  }

  func models(matching criteria: Criteria, _ access: ModelAccess<Model>) throws -> [Model] {
    let settled = settled.values.compactMap { $0 }
    guard let predicate = criteria.predicate else { return unsent + settled }
    return unsent + (try settled.filter { try predicate.matches(access.fields($0)) })
  }
}

/// Inserts models into an answer by the order and the limit of the criteria.
private struct Merging<Model: Sendable> {
  typealias Entry = (key: SortKey, model: Model)

  let criteria: Criteria
  let access: ModelAccess<Model>

  func merge(_ answer: [Model], _ isUnsent: [Bool], mine: [Model]) throws -> [Model] {
    let theirs = try answer.map { (key: try key($0), model: $0) }
    var mine = try mine.map { (key: try key($0), model: $0) }
    mine.sort { precedes($0, $1) }
    if criteria.offset > 0 { mine = within(theirs, isUnsent, mine: mine) }
    let isSorted = zip(theirs, theirs.dropFirst()).allSatisfy { precedes($0, $1) }
    let merged =
      isSorted || !criteria.order.isEmpty
      ? sorted(zip(theirs, isUnsent).filter { !$1 }.map(\.0), mine)
      : inPlace(theirs, isUnsent, mine: mine)
    return Array(criteria.limit.map { merged.prefix(max(0, $0)) } ?? merged[...]).map(\.model)
  }

  /// Counts the merged models that surely come before every model that the answer does not have.
  func certain(of merged: [Model], behind answer: [Model]) throws -> Int {
    guard let last = try answer.last.map({ (key: try key($0), model: $0) }) else { return 0 }
    return try merged.count { !precedes(last, (key: try key($0), model: $0)) }
  }

  /// Returns models that belong to a page whose beginning is not known.
  ///
  /// They were in the page, or their position is inside it.
  private func within(_ theirs: [Entry], _ isUnsent: [Bool], mine: [Entry]) -> [Entry] {
    let known = Set(zip(theirs, isUnsent).filter { $1 }.map { $0.0.key.id })
    guard let first = theirs.first, let last = theirs.last else { return [] }
    let isFull = criteria.limit.map { theirs.count >= $0 } ?? false
    return mine.filter { entry in
      known.contains(entry.key.id)
        || (precedes(first, entry) && (!isFull || precedes(entry, last)))
    }
  }

  private func sorted(_ theirs: [Entry], _ mine: [Entry]) -> [Entry] {
    var (merged, rest) = ([Entry](), mine[...])
    for entry in theirs {
      while let next = rest.first, precedes(next, entry) { merged.append(rest.removeFirst()) }
      merged.append(entry)
    }
    return merged + rest
  }

  /// Keeps the order of a server that has one of its own: new models come last.
  private func inPlace(_ theirs: [Entry], _ isUnsent: [Bool], mine: [Entry]) -> [Entry] {
    var rest = Dictionary(mine.map { ($0.key.id, $0) }) { first, _ in first }
    var merged: [Entry] = []
    for (entry, isUnsent) in zip(theirs, isUnsent) {
      guard isUnsent else {
        merged.append(entry)
        continue
      }
      if let mine = rest.removeValue(forKey: entry.key.id) { merged.append(mine) }
    }
    return merged + mine.filter { rest[$0.key.id] != nil }
  }

  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    left.key.precedes(right.key, criteria.order)
  }

  private func key(_ model: Model) throws -> SortKey {
    let id = try access.id(model)
    guard !criteria.order.isEmpty else { return SortKey(values: [], id: id) }
    let fields = try access.fields(model)
    return SortKey(values: criteria.order.map { fields.scalar(at: $0.key) }, id: id)
  }
}
