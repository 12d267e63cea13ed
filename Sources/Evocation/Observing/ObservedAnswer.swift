/// What an observer shows, kept up to date change by change, as a value.
struct ObservedAnswer<Model: Sendable>: Sendable {
  struct Entry: Sendable {
    let model: Model
    let place: SortKey
  }

  private let criteria: Criteria
  private let access: ModelAccess<Model>
  private(set) var entries: [Entry]

  /// Makes an answer of what a repository found for criteria that were resolved.
  init(_ criteria: Criteria, _ models: [Model], _ access: ModelAccess<Model>) throws {
    self.criteria = criteria
    self.access = access
    entries = try models.map { try Entry(model: $0, place: Self.place($0, criteria, access)) }
  }

  var models: [Model] { entries.map(\.model) }

  /// Whether a change can be worked in without asking the repository again.
  ///
  /// A page cannot: what moves into it from outside is not known here.
  static func canFollow(_ criteria: Criteria) -> Bool {
    criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil
  }

  /// Whether another answer shows the same models in the same order.
  func isSame(as other: Self) -> Bool {
    entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { access.areSame($0.model, $1.model) }
  }

  /// Works the models of a change in, and answers whether anything that is shown changed.
  mutating func apply(
    stored: [Model], updated: [RepositoryChange<Model>.Update], removed: [Model]
  ) throws -> Bool {
    // Several steps may lead back to where they began; a copy for one would cost more than the step.
    let isOneStep = stored.count + updated.count + removed.count == 1
    let old = isOneStep ? nil : self
    var hasChanged = false
    for model in removed { hasChanged = try take(model) != nil || hasChanged }
    for update in updated {
      let before = try take(update.before)
      let after = try put(update.after)
      switch (before, after) {
      case (nil, nil): break
      case (let before?, let after?): hasChanged = hasChanged || !isSame(before, after)
      case (nil, _?), (_?, nil): hasChanged = true
      }
    }
    for model in stored { hasChanged = try put(model) != nil || hasChanged }
    return hasChanged && !(old.map(isSame) ?? false)
  }

  private func isSame(_ old: Entry, _ new: Entry) -> Bool {
    old.place == new.place && access.areSame(old.model, new.model)
  }

  private mutating func take(_ model: Model) throws -> Entry? {
    let place = try Self.place(model, criteria, access)
    let index = position(of: place)
    guard index < entries.count, entries[index].place.id == place.id else { return nil }
    return entries.remove(at: index)
  }

  private mutating func put(_ model: Model) throws -> Entry? {
    guard let entry = try entry(model) else { return nil }
    let index = position(of: entry.place)
    if index < entries.count, entries[index].place.id == entry.place.id {
      let old = entries[index]
      entries[index] = entry
      return isSame(old, entry) ? nil : entry
    }
    entries.insert(entry, at: index)
    return entry
  }

  /// What is shown of a model; nil when it does not match.
  private func entry(_ model: Model) throws -> Entry? {
    if let predicate = criteria.predicate, try !predicate.matches(access.fields(model)) {
      return nil
    }
    return try Entry(model: model, place: Self.place(model, criteria, access))
  }

  private func position(of place: SortKey) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].place.precedes(place, criteria.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private static func place(
    _ model: Model, _ criteria: Criteria, _ access: ModelAccess<Model>
  ) throws -> SortKey {
    let id = try access.id(model)
    guard !criteria.order.isEmpty else { return SortKey(values: [], id: id) }
    let fields = try access.fields(model)
    return SortKey(values: criteria.order.map { fields.scalar(at: $0.key) }, id: id)
  }
}
