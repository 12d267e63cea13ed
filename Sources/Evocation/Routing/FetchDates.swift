internal import Foundation

/// When what an answer of local holds was fetched from the remote.
///
/// It is found out when somebody asks for it, because most do not; what it is found out from was put
/// together before local was asked, so that a later fetch does not make the answer look younger. It
/// holds no models, so that a result holds no more of them than its data.
struct FetchDates: Sendable {
  let fetches: FetchIndex
  let tagPrefix: String
  let criteria: Criteria
  /// When local answered.
  let answeredAt: Date
  /// Whether what a record is of is in the local repository.
  let isHeld: @Sendable (FetchRecord) -> Bool

  /// When all that the criteria ask for was last fetched, by them or by others that have it.
  ///
  /// Nil where that is not known.
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
  /// What is known of the model type's fetches into a local repository.
  func knownFetches(_ place: LocalPlace<Model>) -> KnownFetches {
    if let known = place.fetches.withLock({ $0?.known }) { return known }
    let registry = registry(of: place.transactional?.fetchLedger ?? environment.ledger)
    let known = registry.fetches(prefix: tagPrefix)
    place.fetches.withLock { $0 = (registry, known) }
    return known
  }

  /// Says in an observed answer when it was fetched.
  ///
  /// The ledger is asked for the criteria's own record, because an answer may be told before it is
  /// known here what was written with it.
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
