import Evocation
import EvocationTesting
import Foundation
import TestSupport

/// What can be wrong with a repository that has an outbox.
enum OutboxSlip {
  case startsHeld, reversesOrder, ignoresTheInstance, looksPastPositions, findsNoEnds
  case sendsWhatWaits, takesNothing, isNeverDue, saysNoTime, waitsOn, searchesOnce, searchesAlways
  case forgetsRenamings, keepsRenamings, keepsTheFirstVersion, refersToAll, refersToNothing
  case forgetsReferences, keepsID, replacesAtTheEnd, writesModelsWithStates, deletesNothing
  case countsParked, forgetsTheLease, forgetsTheHold, hasOneKey, insertsOverOthers, holdsNothing
  case removesNothing, readsWhatWas, givesAllAsUnsent, ignoresOrder, keepsWhatThrew
  case finishesWhatWasCancelled, readsTwice, tellsNoModels, tellsNoQueue, tellsQueueForEver
  case changesItsName, hasNoName, changesItsStore, sharesNothing, queuesNothing, storesWhatIsThere
  case storesForUpdates, sparesNothing, addsWhatItMirrors, isNotItself
  case findsHalfAUnit, parksHalfAUnit, mixesQueues, promotesNothing
}

/// A repository in memory whose outbox has one thing wrong.
final class CarelessOutbox: ForwardingRepository, OutboxStore {
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

  func shares(with other: any OutboxStore) -> Bool {
    slip != .sharesNothing && other.storeIdentity == storeIdentity
  }
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
    _ kind: Outbox.EntryKind, _ models: [Car], note: OutboxNote<Car>
  ) async throws -> QueuedWrite<Car> {
    let isWrong = slip == .storesForUpdates && kind == .update
    return try await base.queue(isWrong ? .store : kind, models, note: note)
  }

  func commit(_ write: StoreWrite<Car>) async throws -> StoreCommit<Car> {
    var write = write
    if slip == .queuesNothing { write.outbox = nil }
    if slip == .sparesNothing { write.source = .app }
    write.changes = write.changes.map { action in
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
private struct CarelessTransaction: ForwardingTransaction {
  let base: any OutboxTransaction<Car>
  let slip: OutboxSlip
  let wasEmpty: Bool

  init(_ base: any OutboxTransaction<Car>, _ slip: OutboxSlip) throws {
    (self.base, self.slip) = (base, slip)
    wasEmpty = try base.isEmpty
  }

  var entries: any OutboxEntries { CarelessEntries(base: base.entries, slip: slip) }
  func key(of model: Car) throws -> String {
    slip == .hasOneKey ? "1" : try base.key(of: model)
  }
  func held(_ model: Car) throws -> Car? { slip == .holdsNothing ? nil : try base.held(model) }
  func insert(_ model: Car) throws -> Bool {
    if slip == .insertsOverOthers { try base.put(model, before: base.held(model)) }
    return try base.insert(model)
  }
  func remove(_ model: Car) throws { if slip != .removesNothing { try base.remove(model) } }
  func setNote(_ note: AnswerNote?, of model: Car) throws {
    if slip == .keepsTheFirstVersion, try base.note(of: model) != nil { return }
    try base.setNote(note, of: model)
  }
  func unsent(matching criteria: Criteria) throws -> [Car] {
    var criteria = criteria
    if slip == .ignoresOrder { criteria.order = [] }
    guard slip == .givesAllAsUnsent else { return try base.unsent(matching: criteria) }
    return try base.records(after: .min, limit: .max).compactMap { $0.entry?.model }
  }
  var isEmpty: Bool { get throws { try slip == .readsWhatWas ? wasEmpty : base.isEmpty } }
  func records(of key: String) throws -> [OutboxRecord<Car>] {
    guard slip == .ignoresTheInstance else { return try base.records(of: key) }
    return try base.records(after: .min, limit: .max)
  }
  func records(referringTo reference: Outbox.Reference) throws -> [OutboxRecord<Car>] {
    slip == .forgetsReferences ? [] : try base.records(referringTo: reference)
  }
  func records(after position: Int64, limit: Int) throws -> [OutboxRecord<Car>] {
    let found = try base.records(after: position, limit: limit)
    if slip == .reversesOrder { return found.reversed() }
    return slip == .readsTwice ? Array(found.dropLast()) : found
  }
  func record(at position: Int64) throws -> OutboxRecord<Car>? {
    guard slip == .looksPastPositions else { return try base.record(at: position) }
    return try base.records(after: position == .min ? .min : position - 1, limit: 1).first
  }
  func replace(_ entry: Outbox.Entry<Car>) throws {
    var entry = entry
    if slip == .replacesAtTheEnd {
      try base.delete(entry.position)
      _ = try base.append(entry)
      return
    }
    if slip == .keepsID { entry.id = try base.record(at: entry.position)?.id ?? entry.id }
    try searchingOnce { try base.replace(entry) }
  }
  func setState(of entry: Outbox.Entry<Car>) throws {
    if slip == .writesModelsWithStates { return try base.replace(entry) }
    try searchingOnce { try base.setState(of: entry) }
  }
  func delete(_ position: Int64) throws {
    if slip != .deletesNothing { try searchingOnce { try base.delete(position) } }
  }
  func transaction<Other>(
    for repository: any OutboxStore<Other>
  ) -> (any OutboxTransaction<Other>)? {
    slip == .isNotItself ? nil : self as? any OutboxTransaction<Other>
  }

  private func searchingOnce(_ body: () throws -> Void) throws {
    let searched = base.entries.searched
    try body()
    if slip == .searchesOnce { base.entries.searched = searched }
  }
}

/// The entries of all models with one thing wrong.
private struct CarelessEntries: ForwardingEntries {
  let base: any OutboxEntries
  let slip: OutboxSlip

  func pending(
    within positions: ClosedRange<Int64>, limit: Int, isUtility: Bool
  ) throws -> [OutboxRow] {
    let found = try base.pending(within: positions, limit: limit, isUtility: isUtility)
    guard slip == .sendsWhatWaits, !isUtility else { return found }
    let waiting = try base.due(by: .distantFuture, limit: .max)
    return (found + waiting).sorted { $0.position < $1.position }
  }
  func due(by date: Date, limit: Int) throws -> [OutboxRow] {
    slip == .isNeverDue ? [] : try base.due(by: date, limit: limit)
  }
  func nextDue() throws -> Date? { slip == .saysNoTime ? nil : try base.nextDue() }
  func ends(of instance: Outbox.Reference) throws -> ClosedRange<Int64>? {
    slip == .findsNoEnds ? nil : try base.ends(of: instance)
  }
  func references(of position: Int64) throws -> [Outbox.Reference] {
    slip == .refersToNothing ? [] : try base.references(of: position)
  }
  func firstReferring(
    to instance: Outbox.Reference, within positions: ClosedRange<Int64>
  ) throws -> Int64? {
    try base.firstReferring(
      to: instance, within: slip == .refersToAll ? .min ... .max : positions)
  }
  func rows(of queue: String, after position: Int64, limit: Int) throws -> [OutboxRow] {
    let own = slip == .mixesQueues && queue.hasSuffix("?") ? String(queue.dropLast()) : queue
    return try base.rows(of: own, after: position, limit: limit)
  }
  func rows(ofUnit unit: Int64, limit: Int) throws -> [OutboxRow] {
    let rows = try base.rows(ofUnit: unit, limit: limit)
    return slip == .findsHalfAUnit ? Array(rows.prefix(1)) : rows
  }
  func setState(_ state: Outbox.EntryState, ofUnit unit: Int64) throws {
    if slip != .parksHalfAUnit { try base.setState(state, ofUnit: unit) }
  }
  func take(_ position: Int64) throws { if slip != .takesNothing { try base.take(position) } }
  func promote(_ position: Int64) throws -> Bool {
    try slip != .promotesNothing && base.promote(position)
  }
  func endWaits() throws { if slip != .waitsOn { try base.endWaits() } }
  var searched: Int64 {
    get { slip == .searchesAlways ? .min : base.searched }
    nonmutating set { base.searched = newValue }
  }
  func record(_ renaming: OutboxRenaming, of instance: Outbox.Reference) throws {
    if slip != .forgetsRenamings { try base.record(renaming, of: instance) }
  }
  func forgetRenamings(to instance: Outbox.Reference) throws {
    if slip != .keepsRenamings { try base.forgetRenamings(to: instance) }
  }
  func count() throws -> OutboxCount {
    var count = try base.count()
    if slip == .countsParked { count.pending += count.parked }
    return count
  }
  func setLease(_ lease: OutboxLease?) throws {
    if slip != .forgetsTheLease { try base.setLease(lease) }
  }
  var isHeld: Bool { get throws { try slip == .startsHeld || base.isHeld } }
  func setHeld(_ isHeld: Bool) throws { if slip != .forgetsTheHold { try base.setHeld(isHeld) } }
}
