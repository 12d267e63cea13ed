internal import Foundation

/// The fetch dates of the data in an answer of local.
///
/// They are found out when a caller asks, because most callers do not. Their data are collected
/// before local is asked, so that a later fetch does not make the answer look newer. They contain
/// no models, so that a result retains no more models than its data.
struct FetchDates: Sendable {
  let fetches: FetchIndex
  let tagPrefix: String
  let criteria: Criteria
  /// When local answered.
  let answeredAt: Date
  /// Whether the local repository has the models of a record.
  let isHeld: @Sendable (FetchRecord) -> Bool

  /// The last fetch of everything that the criteria match, by them or by criteria that contain
  /// them.
  ///
  /// Nil if that is unknown.
  var date: Date? {
    let own = fetches[tagPrefix + criteria.tag].flatMap(date)
    return fetches.fetches(within: criteria.predicate).compactMap(date).reduce(own) {
      latest, date in
      max(latest ?? date, date)
    }
  }

  private func date(of record: FetchRecord) -> Date? {
    guard !record.isUndated, !record.isCleared,
      !DateGuard.isSetBack(answeredAt, from: record.fetchedAt),
      isHeld(record)
    else { return nil }
    return record.fetchedAt
  }
}

extension Proxy {
  /// Returns the known fetches of the model type into a local repository.
  func knownFetches(_ place: LocalPlace<Model>) -> KnownFetches {
    if let known = place.fetches.withLock({ $0?.known }) { return known }
    let registry = registry(of: place.transactional?.fetchLedger ?? environment.ledger)
    let known = registry.fetches(prefix: tagPrefix)
    place.fetches.withLock { $0 = (registry, known) }
    return known
  }

  /// Adds the fetch date to an observed answer.
  ///
  /// It asks the ledger for the criteria's own record, because an answer may arrive before the
  /// records in memory have the fetch that was saved with it.
  func date(_ result: inout Evocation.Result<[Model]>, of criteria: Criteria) async {
    let now = environment.date()
    guard result.error == nil, result.data != nil else { return }
    guard result.origin == .local else { return result.fetchedAt = now }
    let place = wiring.place
    let known = knownFetches(place)
    var fetches = if let present = known.present { present } else { await known.load() }
    let tag = tag(for: criteria)
    if let own = try? await ledger.record(for: tag) { fetches.set(own, for: tag) }
    let dates = FetchDates(
      fetches: fetches, tagPrefix: tagPrefix, criteria: criteria, answeredAt: now,
      isHeld: place.holds)
    result.record.fetched = .init(answeredAt: now) { dates.date }
  }
}
