internal import Foundation

/// When what an answer of local holds was fetched from the remote.
///
/// It is found out when somebody asks for it, because most do not; what it is found out from was put
/// together before local was asked, so that a later fetch does not make the answer look younger.
///
/// It knows no model, because to look generic types up for each read would cost more than the rest of
/// it (`find, async`).
struct FetchDates: Sendable {
  let records: [ByteText: FetchRecord]
  let tagPrefix: String
  let criteria: Criteria
  /// When local answered.
  let answeredAt: Date
  /// What was fetched earlier is not in the local repository any more.
  let replacedAt: Date?

  /// Of so many comparisons the search for each model's fetch is worth it.
  private static var mostComparisons: Int { 100_000 }

  /// When the criteria were fetched, or all of these models, the oldest fetch of those that have them.
  ///
  /// Nil where that is not known.
  func date<Model: Sendable>(of models: [Model]) -> Date? {
    if let own = records[ByteText(tagPrefix + criteria.tag)], let date = date(of: own) {
      return date
    }
    let fetches = records.values.compactMap(fetch)
    let asked = Set(criteria.predicate?.conjuncts ?? [])
    let covering = fetches.filter { $0.conditions.isSubset(of: asked) }.map(\.date).max()
    return covering ?? oldest(of: models, fetches)
  }

  /// For each model the youngest fetch that had it, and of these the oldest; nil where one has none.
  private func oldest<Model: Sendable>(of models: [Model], _ fetches: [Fetch]) -> Date? {
    guard !models.isEmpty, !fetches.isEmpty,
      models.count <= Self.mostComparisons / fetches.count,
      let access = ModelAccess<Model>.make()
    else { return nil }
    let fetches: [(date: Date, predicate: Criteria.Predicate?)] = fetches.compactMap { fetch in
      guard let resolved = try? fetch.criteria.resolved(against: access.schema) else { return nil }
      return (fetch.date, resolved.predicate)
    }.sorted { $0.date > $1.date }
    var oldest: Date?
    for model in models {
      guard let fields = try? access.fields(model),
        let fetch = fetches.first(where: { $0.predicate?.matches(fields) ?? true })
      else { return nil }
      oldest = min(oldest ?? fetch.date, fetch.date)
    }
    return oldest
  }

  /// A fetch of all that match.
  private struct Fetch {
    let date: Date
    let criteria: Criteria
    let conditions: Set<Criteria.Predicate>
  }

  private func fetch(_ record: FetchRecord) -> Fetch? {
    guard record.pages == nil, let date = date(of: record), let requirements = record.requirements,
      let criteria = try? JSONDecoder().decode(Criteria.self, from: requirements),
      criteria.offset == 0, criteria.cursor == nil
    else { return nil }
    let conditions = Set(criteria.predicate?.conjuncts ?? [])
    // A limit cuts nothing off where the id is given.
    let isOne = conditions.contains {
      if case .comparison("id", .equal, _) = $0 { true } else { false }
    }
    return criteria.limit == nil || isOne
      ? Fetch(date: date, criteria: criteria, conditions: conditions) : nil
  }

  private func date(of record: FetchRecord) -> Date? {
    guard !record.isUndated, !record.isCleared,
      !DateGuard.isSetBack(answeredAt, from: record.fetchedAt),
      replacedAt.map({ record.fetchedAt > $0 }) ?? true
    else { return nil }
    return record.fetchedAt
  }
}

extension Proxy {
  /// What is known of the model type's fetches into a local repository.
  func knownFetches(_ place: LocalPlace<Model>) -> KnownFetches {
    if let known = place.fetches.withLock({ $0?.known }) { return known }
    let registry = registry(of: place.transactional?.fetchLedger ?? environment.ledger)
    let known = registry.fetches(prefix: tagPrefix)
    place.fetches.withLock { $0 = (registry, known) }
    return known
  }

  /// When what local answered to a read was fetched, by what was known before it was asked.
  func date(
    of models: [Model], _ operation: Operation<Model>, _ records: [ByteText: FetchRecord],
    _ place: LocalPlace<Model>, answeredAt: Date
  ) -> Date? {
    guard let criteria = operation.criteria else { return nil }
    let dates = FetchDates(
      records: records, tagPrefix: tagPrefix, criteria: criteria, answeredAt: answeredAt,
      replacedAt: place.replacedAt)
    return dates.date(of: models)
  }

  /// Says in an observed answer when it was fetched.
  ///
  /// The ledger is asked for the criteria's own record, because an answer may be told before it is
  /// known here what was written with it.
  func date(_ result: inout Evocation.Result<[Model]>, of criteria: Criteria) async {
    let now = environment.date()
    guard result.error == nil, let models = result.data else { return }
    guard result.origin == .local else { return result.fetchedAt = now }
    let place = wiring.place
    let known = knownFetches(place)
    var records = if let present = known.present { present } else { await known.load() }
    let tag = tag(for: criteria)
    if let own = try? await ledger.record(for: tag) { records[ByteText(tag)] = own }
    let dates = FetchDates(
      records: records, tagPrefix: tagPrefix, criteria: criteria, answeredAt: now,
      replacedAt: place.replacedAt)
    result.record.fetched = .init(answeredAt: now) { dates.date(of: models) }
  }
}
