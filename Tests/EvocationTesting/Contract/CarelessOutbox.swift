import Evocation
import EvocationTesting
import TestSupport

/// What can be wrong with a repository that has an outbox.
enum OutboxSlip {
  case startsHeld, reversesOrder, ignoresTheInstance, takesAllForHeads, takesParkedForHeads
  case forgetsReferences, keepsID, replacesAtTheEnd, writesModelsWithStates, deletesNothing
  case countsParked, forgetsTheLease, forgetsTheHold, hasOneKey, insertsOverOthers, holdsNothing
  case removesNothing, readsWhatWas, givesAllAsUnsent, ignoresOrder, keepsWhatThrew
  case finishesWhatWasCancelled, readsTwice, tellsNoModels, tellsNoQueue, tellsQueueForEver
  case changesItsName, hasNoName, changesItsStore, queuesNothing, storesWhatIsThere
  case storesForUpdates, sparesNothing, addsWhatItMirrors, isNotItself
}

/// A repository in memory whose outbox has one thing wrong.
final class CarelessOutbox: ForwardingRepository, OutboxRepository {
  let base = InMemoryRepository<Car>()
  let slip: OutboxSlip
  /// How often it was asked which it is.
  private let count = Lock(0)
  private let kept = Lock<[Evocation.Observation]>([])

  init(_ slip: OutboxSlip) { self.slip = slip }

  private func countUp() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  var queueName: String {
    switch slip {
    case .changesItsName: "\(countUp())"
    case .hasNoName: ""
    default: base.queueName
    }
  }
  var storeIdentity: ObjectIdentifier {
    slip == .changesItsStore && countUp() > 1 ? ObjectIdentifier(self) : base.storeIdentity
  }
  var keepsEntries: Bool { false }
  var fetchLedger: (any FetchLedger)? { nil }

  func transact<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Car>) throws -> Value
  ) async throws -> Value {
    let slip = slip
    let run: @Sendable () async throws -> Value = { [base] in
      if slip == .keepsWhatThrew {
        let outcome = try await base.transact(isShort: isShort) { transaction in
          Result { try body(CarelessTransaction(transaction, slip)) }
        }
        return try outcome.get()
      }
      return try await base.transact(isShort: isShort) { transaction in
        try body(CarelessTransaction(transaction, slip))
      }
    }
    guard slip == .finishesWhatWasCancelled else { return try await run() }
    return try await Task { try await run() }.value
  }

  func look<Value: Sendable>(
    isShort: Bool, _ body: @escaping @Sendable (any OutboxTransaction<Car>) throws -> Value
  ) async throws -> Value {
    let slip = slip
    return try await base.look(isShort: isShort) { transaction in
      try body(CarelessTransaction(transaction, slip))
    }
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    switch slip {
    case .tellsNoQueue:
      return Evocation.Observation {}
    case .tellsQueueForEver:
      let observation = base.observeQueue(handler)
      kept.withLock { $0.append(observation) }
      return Evocation.Observation {}
    default:
      return base.observeQueue(handler)
    }
  }

  func observeChanges(
    _ handler: @escaping @Sendable (RepositoryChange<Car>) -> Void
  ) -> Evocation.Observation {
    slip == .tellsNoModels ? Evocation.Observation {} : base.observeChanges(handler)
  }

  func queue(
    _ kind: Outbox.EntryKind, _ models: [Car], _ note: OutboxNote<Car>
  ) async throws -> QueuedWrite<Car> {
    let isWrong = slip == .storesForUpdates && kind == .update
    return try await base.queue(isWrong ? .store : kind, models, note)
  }

  func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
    var write = write
    if slip == .queuesNothing { write.outbox = nil }
    if slip == .sparesNothing { write.source = .app }
    write.actions = write.actions.map { action in
      switch (slip, action) {
      case (.storesWhatIsThere, .store(let models)): .storeOrUpdate(models)
      case (.addsWhatItMirrors, .mirror(let models, _, _)): .storeOrUpdate(models)
      default: action
      }
    }
    return try await base.commit(write)
  }
}

/// A transaction with one thing wrong.
private struct CarelessTransaction: OutboxTransaction {
  let base: any OutboxTransaction<Car>
  let slip: OutboxSlip
  let wasEmpty: Bool

  func key(of model: Car) throws -> String {
    slip == .hasOneKey ? "1" : try base.key(of: model)
  }
  func held(_ model: Car) throws -> Car? { slip == .holdsNothing ? nil : try base.held(model) }
  func insert(_ model: Car) throws -> Bool {
    if slip == .insertsOverOthers { try base.put(model, before: base.held(model)) }
    return try base.insert(model)
  }
  func put(_ model: Car, before: Car?) throws { try base.put(model, before: before) }
  func remove(_ model: Car) throws { if slip != .removesNothing { try base.remove(model) } }
  func unsent(matching criteria: Criteria) throws -> [Car] {
    var criteria = criteria
    if slip == .ignoresOrder { criteria.order = [] }
    guard slip == .givesAllAsUnsent else { return try base.unsent(matching: criteria) }
    return try base.records(after: .min, onlyHeads: false, limit: .max).compactMap {
      $0.entry?.model
    }
  }
  var isEmpty: Bool { get throws { try slip == .readsWhatWas ? wasEmpty : base.isEmpty } }
  func records(of key: String) throws -> [OutboxRecord<Car>] {
    guard slip == .ignoresTheInstance else { return try base.records(of: key) }
    return try base.records(after: .min, onlyHeads: false, limit: .max)
  }
  func hasRecords(of reference: Outbox.Reference) throws -> Bool {
    try base.hasRecords(of: reference)
  }
  func records(referringTo reference: Outbox.Reference) throws -> [OutboxRecord<Car>] {
    slip == .forgetsReferences ? [] : try base.records(referringTo: reference)
  }
  func records(after position: Int64, onlyHeads: Bool, limit: Int) throws -> [OutboxRecord<Car>] {
    if slip == .takesAllForHeads {
      return try base.records(after: position, onlyHeads: false, limit: limit)
    }
    let found = try base.records(after: position, onlyHeads: onlyHeads, limit: limit)
    if slip == .reversesOrder { return found.reversed() }
    if slip == .readsTwice { return Array(found.dropLast()) }
    guard slip == .takesParkedForHeads, onlyHeads else { return found }
    let parked = try base.records(after: position, onlyHeads: false, limit: .max).filter { record in
      if case .parked = record.entry?.state { true } else { false }
    }
    return (found + parked).sorted { $0.position < $1.position }
  }
  func append(_ entry: Outbox.Entry<Car>) throws -> Int64 { try base.append(entry) }
  func replace(_ entry: Outbox.Entry<Car>) throws {
    var entry = entry
    if slip == .replacesAtTheEnd {
      try base.delete(entry.position)
      _ = try base.append(entry)
      return
    }
    if slip == .keepsID {
      let found = try base.records(after: entry.position - 1, onlyHeads: false, limit: 1).first
      entry.id = found?.id ?? entry.id
    }
    try base.replace(entry)
  }
  func setState(of entry: Outbox.Entry<Car>) throws {
    if slip == .writesModelsWithStates { return try base.replace(entry) }
    try base.setState(of: entry)
  }
  func delete(_ position: Int64) throws { if slip != .deletesNothing { try base.delete(position) } }
  func park(_ entry: Outbox.UnreadableEntry) throws { try base.park(entry) }
  func reviveUnreadable() throws { try base.reviveUnreadable() }
  func count() throws -> OutboxCount {
    var count = try base.count()
    if slip == .countsParked { count.pending += count.parked }
    return count
  }
  var lease: OutboxLease? { get throws { try base.lease } }
  func setLease(_ lease: OutboxLease?) throws {
    if slip != .forgetsTheLease { try base.setLease(lease) }
  }
  var isHeld: Bool { get throws { try slip == .startsHeld || base.isHeld } }
  func setHeld(_ isHeld: Bool) throws { if slip != .forgetsTheHold { try base.setHeld(isHeld) } }
  func transaction<Other>(
    for repository: any OutboxRepository<Other>
  ) -> (any OutboxTransaction<Other>)? {
    slip == .isNotItself ? nil : self as? any OutboxTransaction<Other>
  }
}

extension CarelessTransaction {
  init(_ base: any OutboxTransaction<Car>, _ slip: OutboxSlip) throws {
    self.init(base: base, slip: slip, wasEmpty: try base.isEmpty)
  }
}
