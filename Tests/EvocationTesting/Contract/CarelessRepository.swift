import Evocation
import EvocationTesting
import TestSupport

enum Slip {
  case storesWhatIsThere, updatesWhatIsAbsent, answersWhatWasAskedToBeRemoved
  case ignoresUnknownKeys, ignoresOrder, ignoresLimit, ignoresCursors, findsTheLast
  case countsAll, saysThatNothingIsThere
  case finishesWhatWasCancelled
  case takesOrForAnd, ignoresNot, ignoresOptions, ignoresCaseOfPrefixes, takesContainsForPrefix,
    ignoresAnd
  case refusesOr, refusesWithoutNaming, throwsAnotherError
  case givesOtherIDs, givesOtherIDsInPlaceOfTaken, givesRemovedAsItWasAsked
}

/// A repository in memory with one thing wrong.
struct CarelessRepository: Repository {
  let slip: Slip
  let cars = InMemoryRepository<Car>()
  private let lastID = Lock(100)

  init(_ slip: Slip) { self.slip = slip }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    var criteria = criteria
    if slip == .ignoresOrder { criteria.order = [] }
    if slip == .ignoresLimit { criteria.limit = nil }
    if slip == .ignoresCursors { criteria.cursor = nil }
    criteria.predicate = try criteria.predicate.map(slipped)
    do {
      return try await done { [criteria] in try await $0.find(criteria) }
    } catch EvocationError.unknownKey where slip == .ignoresUnknownKeys {
      return Response([])
    }
  }

  func findOne(_ criteria: Criteria) async throws -> Response<Car?> {
    let found = try await find(slip == .findsTheLast ? criteria : criteria.limit(1)).value
    return Response(found.last)
  }

  func count(_ criteria: Criteria) async throws -> Int {
    try await find(slip == .countsAll ? criteria.limit(100) : criteria).value.count
  }

  func exists(_ criteria: Criteria) async throws -> Bool {
    try await findOne(criteria).value != nil && slip != .saysThatNothingIsThere
  }

  func store(_ models: [Car]) async throws -> Response<[Car]> {
    do {
      let models = try await named(models)
      return try await done {
        slip == .storesWhatIsThere ? try await $0.storeOrUpdate(models) : try await $0.store(models)
      }
    } catch EvocationError.alreadyExists where slip == .throwsAnotherError {
      throw Unable("It is there already.")
    }
  }

  /// The models under the ids that they are stored with.
  private func named(_ models: [Car]) async throws -> [Car] {
    guard slip == .givesOtherIDs || slip == .givesOtherIDsInPlaceOfTaken else { return models }
    var taken = Set(try await cars.find(Criteria()).value.map(\.id))
    return models.map { model in
      var model = model
      if slip == .givesOtherIDs || !taken.insert(model.id).inserted {
        model.id = lastID.withLock { id in
          id += 1
          return id
        }
      }
      return model
    }
  }

  func update(_ models: [Car]) async throws -> Response<[Car]> {
    try await done {
      slip == .updatesWhatIsAbsent
        ? try await $0.storeOrUpdate(models) : try await $0.update(models)
    }
  }

  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
    try await done { try await $0.storeOrUpdate(models) }
  }

  func remove(_ models: [Car]) async throws -> Response<[Car]> {
    let removed = try await done { try await $0.remove(models) }
    switch slip {
    case .answersWhatWasAskedToBeRemoved:
      return Response(models)
    case .givesRemovedAsItWasAsked:
      let ids = removed.value.map(\.id)
      return Response(models.filter { ids.contains($0.id) })
    default:
      return removed
    }
  }

  private func done(
    _ call: @escaping @Sendable (InMemoryRepository<Car>) async throws -> Response<[Car]>
  ) async throws -> Response<[Car]> {
    guard slip == .finishesWhatWasCancelled else { return try await call(cars) }
    return try await Task { [cars] in try await call(cars) }.value
  }

  private func slipped(_ predicate: Criteria.Predicate) throws -> Criteria.Predicate {
    switch (slip, predicate) {
    case (.takesOrForAnd, .any(let parts)): .all(parts)
    case (.ignoresAnd, .all(let parts)): parts.first ?? predicate
    case (.ignoresNot, .not(let part)): part
    case (.ignoresCaseOfPrefixes, .hasPrefix(let key, let text)):
      .any([.hasPrefix(key, text), .hasPrefix(key, text.lowercased())])
    case (.takesContainsForPrefix, .contains(let key, let operand)):
      if case .text(let text) = operand.value { .hasPrefix(key, text) } else { predicate }
    case (.ignoresOptions, .text(let key, let comparison, let text, _)):
      .text(key, comparison, text, [])
    case (.refusesOr, .any): throw Unable("The service has no \"or\".")
    case (.refusesOr, .all(let parts)): .all(try parts.map(slipped))
    case (.refusesWithoutNaming, .any): throw Unable("It did not work.")
    default: predicate
    }
  }
}

/// What a repository says of something that it cannot do.
private struct Unable: ClassifiedError, CustomStringConvertible {
  let description: String
  var failureKind: FailureKind { .permanent }

  init(_ description: String) { self.description = description }
}

enum TellingSlip: CaseIterable {
  case tellsNothing, tellsUpdatesAsStored, tellsTwice, tellsReads, tellsForEver
}

/// A repository in memory that tells its changes wrongly.
final class CarelessTeller: ForwardingRepository, ObservableRepository {
  let base = InMemoryRepository<Car>()
  private let slip: TellingSlip
  private let handlers = Lock<[@Sendable (RepositoryChange<Car>) -> Void]>([])

  init(_ slip: TellingSlip) { self.slip = slip }

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    if slip == .tellsReads { tell(.unknown) }
    return try await base.find(criteria)
  }

  func store(_ models: [Car]) async throws -> Response<[Car]> {
    let stored = try await base.store(models)
    if slip == .tellsForEver || slip == .tellsReads {
      tell(.models(stored: models, updated: [], removed: []))
    }
    return stored
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
  ) -> Evocation.Observation {
    switch slip {
    case .tellsNothing:
      return Evocation.Observation {}
    case .tellsUpdatesAsStored:
      return base.observeChanges { change in
        guard case .models(let stored, let updated, let removed) = change.extent else { return }
        handler(.models(stored: stored + updated.map(\.after), updated: [], removed: removed))
      }
    case .tellsTwice:
      return base.observeChanges { change in
        handler(change)
        handler(change)
      }
    case .tellsReads, .tellsForEver:
      handlers.withLock { $0.append(handler) }
      return Evocation.Observation {}
    }
  }

  private func tell(_ change: RepositoryChange<Car>) {
    for handler in handlers.withLock({ $0 }) { handler(change) }
  }
}
