/// The models that an observer shows, updated change by change, as a value.
struct ObservedAnswer<Model: Sendable>: Sendable {
  private let criteria: Criteria
  private let access: ModelAccess<Model>
  private(set) var models: [Model]

  /// The position of each model; empty until the first change is applied.
  private var places: [SortKey] = []

  /// Creates an answer from the models that a repository found for resolved criteria.
  init(_ criteria: Criteria, _ models: [Model], access: ModelAccess<Model>) {
    self.criteria = criteria
    self.access = access
    self.models = models
  }

  /// Whether changes can be applied without asking the repository again.
  ///
  /// That is impossible for a page, because the models that move into it from outside are unknown
  /// here, and for what only a full-text index finds.
  static func canFollow(_ criteria: Criteria) -> Bool {
    criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil
      && criteria.predicate?.isOpaque != true
  }

  /// Whether another answer shows the same models in the same order.
  func isSame(as other: Self) -> Bool { access.areSame(models, other.models) }

  /// Applies the models of a change, and returns whether anything that is shown has changed.
  ///
  /// If it throws, it has applied nothing of the change.
  mutating func apply(
    stored: [Model], updated: [RepositoryChange<Model>.Update], removed: [Model]
  ) throws -> Bool {
    if places.count != models.count { places = try models.map(place) }
    let steps =
      try removed.map { try Step(before: place($0), after: nil) }
      + updated.map { try Step(before: place($0.before), after: entry($0.after)) }
      + stored.map { try Step(before: nil, after: entry($0)) }
    // Several steps may lead back to the beginning, so models are compared when all are done.
    var differences: [ModelID: Difference] = [:]
    for step in steps {
      let before = take(step)
      guard let id = step.id else { continue }
      differences[id] = Difference(
        before: differences[id].map { $0.before } ?? before, after: step.after)
    }
    return differences.values.contains { !isSame($0.before, $0.after) }
  }

  /// A model and its position.
  private struct Entry {
    let model: Model
    let place: SortKey
  }

  /// One model of a change: its earlier position, if it had one, and the entry to show now.
  private struct Step {
    let before: SortKey?
    let after: Entry?

    var id: ModelID? { (after?.place ?? before)?.id }
  }

  /// The entries of a model that were shown before and after a change.
  private struct Difference {
    let before: Entry?
    let after: Entry?
  }

  private func isSame(_ old: Entry?, _ new: Entry?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.place == new.place && access.areSame(old.model, new.model)
  }

  /// Applies a step, and returns the entry of its model that was shown before.
  private mutating func take(_ step: Step) -> Entry? {
    var before: Entry?
    // A model that stays at its position moves no others.
    if let place = step.before, place != step.after?.place { before = remove(place) }
    if let after = step.after { before = put(after) ?? before }
    return before
  }

  private mutating func remove(_ place: SortKey) -> Entry? {
    let index = position(of: place)
    guard index < places.count, places[index].id == place.id else { return nil }
    return Entry(model: models.remove(at: index), place: places.remove(at: index))
  }

  private mutating func put(_ entry: Entry) -> Entry? {
    let index = position(of: entry.place)
    guard index < places.count, places[index].id == entry.place.id else {
      models.insert(entry.model, at: index)
      places.insert(entry.place, at: index)
      return nil
    }
    defer { (models[index], places[index]) = (entry.model, entry.place) }
    return Entry(model: models[index], place: places[index])
  }

  /// Returns the entry to show of a model; nil if the model does not match.
  private func entry(_ model: Model) throws -> Entry? {
    if let predicate = criteria.predicate, try !predicate.matches(access.fields(model)) {
      return nil
    }
    return try Entry(model: model, place: place(model))
  }

  private func position(of place: SortKey) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].precedes(place, criteria.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private func place(_ model: Model) throws -> SortKey {
    let id = try access.id(model)
    guard !criteria.order.isEmpty else { return SortKey(values: [], id: id) }
    let fields = try access.fields(model)
    return SortKey(values: criteria.order.map { fields.scalar(at: $0.key) }, id: id)
  }
}
