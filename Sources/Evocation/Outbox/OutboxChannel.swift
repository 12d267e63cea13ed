package import Foundation

/// The requirements of the outbox for the entries of one model type.
package protocol OutboxChannel: AnyObject, Sendable {
  associatedtype Model: Sendable

  /// The channel, with its model type.
  var typed: ModelChannel<Model> { get }
  var model: String { get }
  var store: ObjectIdentifier { get }
  var queue: String { get }
  var service: String { get }
  var hasRemote: Bool { get }

  /// Whether its repository's entries are in another store by now.
  var isMoved: Bool { get }
  /// Replaces this channel by one for the present store.
  func rewire()

  /// Sends an entry, and saves the result.
  func send(_ item: OutboxMachine.Item) async -> OutboxMachine.Event

  /// Prepares an entry to be sent with others of its unit.
  func prepare(_ item: OutboxMachine.Item) async throws -> UnitPreparation

  /// Runs `body` in one transaction of the store.
  func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxTransaction) throws -> Value
  ) async throws -> Value
  /// Runs `body` on one state of the store.
  func look<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxEntries) throws -> Value
  ) async throws -> Value

  /// Restores the rows from the last entries, after a sign-out that kept the entries.
  func restoreRows(in transaction: any OutboxTransaction) throws

  /// Returns the state of a write's entry, which may have another id now; nil if it is gone.
  ///
  /// With `orNone`, an entry whose id is not known is another write.
  func state(
    of row: OutboxRow, as id: String, orNone: Bool
  ) async throws -> Outbox.EntryState?

  /// Discards the entry of a row and those behind it on its instance, and restores the local model.
  func discard(
    _ row: OutboxRow, in transaction: any OutboxTransaction
  ) throws -> [(id: String, subject: Outbox.Subject?)]

  func unreadable() async throws -> [Outbox.UnreadableEntry]
  func discard(unreadable entry: Outbox.UnreadableEntry) async throws -> Bool
  /// Sends an entry as the JSON says; returns its new id, or nil if it is gone.
  func resend(unreadable entry: Outbox.UnreadableEntry, as json: Data) async throws -> String?
  func discardAll() async throws
  func subjects() async throws -> [Outbox.Subject]
  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
  func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
}

/// The entries of one model type, and the remote repository that they are sent to.
package final class ModelChannel<Model: Sendable>: OutboxChannel {
  let proxy: Proxy<Model>
  package let repository: any OutboxStore<Model>
  package let service: String
  /// The values of the repository, stored because they are read under a lock.
  package let (store, queue): (ObjectIdentifier, String)
  /// Weak, because the outbox owns its channels.
  private let owner: Lock<WeakOutbox>
  /// The server's answers to entries whose acknowledgement could not be saved yet.
  let unsavedAnswers = Lock<[String: VersionedModel<Model>]>([:])
  /// The number of conflicts that each entry has met.
  let conflicts = Lock<[String: Int]>([:])

  /// Whether there was a remote repository when the channel was made.
  package let hasRemote: Bool

  init(_ proxy: Proxy<Model>, _ repository: any OutboxStore<Model>, outbox: Outbox) {
    self.proxy = proxy
    self.repository = repository
    (store, queue) = (repository.storeIdentity, repository.queueName)
    hasRemote = proxy.wiring.hasRemote
    service = Self.service(of: proxy)
    owner = Lock(WeakOutbox(outbox: outbox))
  }

  /// Returns the name of the server.
  ///
  /// A remote repository without one counts as a server of its own.
  package static func service(of proxy: Proxy<Model>) -> String {
    (proxy.wiring.remote as? any SharedService)?.service ?? "\(ObjectIdentifier(proxy))"
  }

  package var typed: ModelChannel { self }
  package var model: String { proxy.model }
  package var outbox: Outbox? { owner.withLock { $0.outbox } }
  var environment: Environment { proxy.environment }

  package var isMoved: Bool { repository.storeIdentity != store }

  package func rewire() { outbox?.rewire(proxy) }

  package func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxTransaction) throws -> Value
  ) async throws -> Value {
    try await repository.transact(isShort: false) { try body($0) }
  }

  package func look<Value: Sendable>(
    _ body: @escaping @Sendable (any OutboxEntries) throws -> Value
  ) async throws -> Value {
    try await repository.look(isShort: false) { try body($0.entries) }
  }

  package func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    repository.observeQueue(handler)
  }

  package func state(
    of row: OutboxRow, as id: String, orNone: Bool
  ) async throws -> Outbox.EntryState? {
    try await repository.look(isShort: true) { transaction in
      func isIt(_ record: OutboxRecord<Model>) -> Bool { record.id == row.id || record.id == id }
      var found = try transaction.record(at: row.position)
      // An entry that another process sends again has an unknown id at its position. A number that
      // is free may also be used again, for a write of the next user.
      if let other = found, !isIt(other) {
        let key = try other.entry.map { try transaction.instance(of: $0.model) }
        if orNone || key != ByteText(row.instance.key) { found = nil }
      }
      // A moved one has its id elsewhere.
      switch try found ?? transaction.records(of: row.instance.key).first(where: isIt) {
      case .entry(let entry)?: return entry.state
      case .unreadable(let entry)?: return .parked(.permanent, reason: entry.reason)
      case nil: return nil
      }
    }
  }

  package func restoreRows(in transaction: any OutboxTransaction) throws {
    guard let mine = transaction.own(of: repository) else { return }
    var position = Int64.min
    while true {
      let records = try mine.records(after: position, limit: 1_000)
      guard let last = records.last else { return }
      for entry in records.compactMap(\.entry) {
        if entry.kind != .remove {
          try mine.put(entry.model, before: mine.held(entry.model))
        } else {
          try mine.removeRow(of: entry.model)
        }
      }
      position = last.position
    }
  }

  package func observeCredential(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
  {
    (proxy.wiring.remote as? any SharedService)?.observeCredential(handler)
      ?? Evocation.Observation {}
  }

  package func discard(
    _ row: OutboxRow, in transaction: any OutboxTransaction
  ) throws -> [(id: String, subject: Outbox.Subject?)] {
    guard let mine = transaction.own(of: repository) else { return [] }
    return try mine.discard(id: row.id, key: row.instance.key).map { record in
      (record.id, record.entry.map { subject($0.model, $0.id) })
    }
  }

  package func unreadable() async throws -> [Outbox.UnreadableEntry] {
    try await repository.look(isShort: false) { transaction in
      try transaction.allRecords().compactMap {
        if case .unreadable(let entry) = $0 { entry } else { nil }
      }
    }
  }

  package func discard(unreadable entry: Outbox.UnreadableEntry) async throws -> Bool {
    try await repository.transact(isShort: true) { [outbox] transaction in
      guard let record = try transaction.record(at: entry.position), record.id == entry.id else {
        return false
      }
      try transaction.delete(record.position)
      outbox?.deliveries.withLock { $0.recordDiscarded([entry.id]) }
      return true
    }
  }

  package func resend(
    unreadable entry: Outbox.UnreadableEntry, as json: Data
  ) async throws -> String? {
    let note = proxy.outboxLink.entryNote(at: environment.date())
    guard let properties = JSONProperties(json),
      let model = try ModelJSON.model(Model.self, properties)
    else { throw EvocationError.differentModel(model: model) }
    return try await repository.transact(isShort: true) { [outbox] transaction in
      let model = try transaction.following(model, note.following)
      let replaced = try transaction.replaceUnreadable(entry, as: model, note: note)
      if let replaced {
        outbox?.deliveries.withLock { $0.recordRenewed(entry.id, as: replaced.id) }
      }
      return replaced?.id
    }
  }

  /// Discards all entries, some at a time.
  package func discardAll() async throws {
    while true {
      let discarded = try await repository.transact(isShort: false) { [outbox] transaction in
        var discarded: [OutboxRecord<Model>] = []
        for record in try transaction.records(after: .min, limit: 200) {
          guard case .entry(let entry) = record else {
            try transaction.delete(record.position)
            discarded.append(record)
            continue
          }
          discarded += try transaction.discard(
            id: entry.id, key: transaction.key(of: entry.model))
        }
        outbox?.deliveries.withLock { $0.recordDiscarded(discarded.map(\.id)) }
        return discarded
      }
      if discarded.isEmpty { return }
      for entry in discarded.compactMap(\.entry) {
        outbox?.tell(.discarded(subject(entry.model, entry.id)))
      }
    }
  }

  func subject(_ model: Model, _ entry: String = "", reason: String = "") -> Outbox.Subject {
    Outbox.Subject(
      model: self.model, modelID: (try? ModelID.each(of: [model]))?.first?.description ?? "",
      entry: entry, reason: reason)
  }
}

struct WeakOutbox {
  weak var outbox: Outbox?
}

extension Proxy {
  /// Marks everything that was fetched as outdated, because the server may have newer models.
  func outdate() async { try? await ledger.invalidate(prefix: tagPrefix) }
}
