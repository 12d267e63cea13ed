import Foundation

/// What the outbox does with the entries of one model type, whatever that is.
protocol OutboxChannel: AnyObject, Sendable {
  var model: String { get }
  var store: ObjectIdentifier { get }
  var queue: String { get }
  var service: String { get }
  var hasRemote: Bool { get }

  /// Looks for entries to send, behind a position or at these positions alone, and claims them.
  func claim(
    _ channel: OutboxMachine.Channel, after position: Int64, only: [Int64], limit: Int
  ) async -> OutboxMachine.Claim
  /// Sends an entry, and keeps what it came to.
  func send(_ item: OutboxMachine.Item) async -> OutboxMachine.Event

  func count() async throws -> OutboxCount
  func unreadable() async throws -> [Outbox.UnreadableEntry]
  func references(of key: String) async throws -> [Outbox.Reference]
  func hasEntries(of key: String) async throws -> Bool
  func discard(unreadable entry: Outbox.UnreadableEntry) async throws -> Bool
  func discardAll() async throws
  func subjects() async throws -> [Outbox.Subject]
  func setHeld(_ isHeld: Bool) async throws
  func isHeld() async throws -> Bool
  func releaseLease() async
  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation
}

/// The entries of one model type, and the remote that they are sent to.
final class ModelChannel<Model: Sendable>: OutboxChannel {
  let proxy: Proxy<Model>
  let repository: any OutboxRepository<Model>
  let service: String
  /// The repository's own, kept because they are read under a lock.
  let (store, queue): (ObjectIdentifier, String)
  /// Weak, because the outbox has its channels.
  private let owner: Lock<WeakOutbox>
  let hasRevived = Lock(false)
  /// What the remote answered to entries whose acknowledgement could not be kept yet.
  let carriedOut = Lock<[String: Model?]>([:])
  /// How often the conflicts of an entry were resolved and came again.
  let conflicts = Lock<[String: Int]>([:])

  /// Whether there was a remote when the channel was made.
  let hasRemote: Bool

  init(_ proxy: Proxy<Model>, _ repository: any OutboxRepository<Model>, _ outbox: Outbox) {
    self.proxy = proxy
    self.repository = repository
    (store, queue) = (repository.storeIdentity, repository.queueName)
    hasRemote = proxy.wiring.hasRemote
    service = Self.service(of: proxy)
    owner = Lock(WeakOutbox(outbox: outbox))
  }

  /// Names the service of the proxy's remote; one that does not say is a service of its own.
  static func service(of proxy: Proxy<Model>) -> String {
    (proxy.wiring.remote as? any SharedService)?.service ?? "\(ObjectIdentifier(proxy))"
  }

  var model: String { proxy.model }
  var outbox: Outbox? { owner.withLock { $0.outbox } }
  var environment: Environment { proxy.environment }

  func count() async throws -> OutboxCount {
    try await repository.look(isShort: false) { try $0.count() }
  }

  func observeQueue(_ handler: @escaping @Sendable () -> Void) -> Evocation.Observation {
    repository.observeQueue(handler)
  }

  func references(of key: String) async throws -> [Outbox.Reference] {
    try await repository.look(isShort: true) { transaction in
      try transaction.records(of: key).compactMap(\.entry).flatMap(\.references)
    }
  }

  func hasEntries(of key: String) async throws -> Bool {
    try await repository.look(isShort: true) { try !$0.records(of: key).isEmpty }
  }

  func unreadable() async throws -> [Outbox.UnreadableEntry] {
    try await repository.look(isShort: false) { transaction in
      try transaction.allRecords().compactMap {
        if case .unreadable(let entry) = $0 { entry } else { nil }
      }
    }
  }

  func discard(unreadable entry: Outbox.UnreadableEntry) async throws -> Bool {
    try await repository.transact(isShort: true) { transaction in
      let found = try transaction.records(
        after: entry.position.subtractingClamped(1), onlyHeads: false, limit: 1)
      guard let record = found.first, record.id == entry.id else { return false }
      try transaction.delete(record.position)
      return true
    }
  }

  /// Discards all entries, some at a time.
  func discardAll() async throws {
    while true {
      let discarded = try await repository.transact(isShort: false) { transaction in
        var discarded: [OutboxRecord<Model>] = []
        for record in try transaction.records(after: .min, onlyHeads: false, limit: 200) {
          guard case .entry(let entry) = record else {
            try transaction.delete(record.position)
            discarded.append(record)
            continue
          }
          discarded += try transaction.discard(
            id: entry.id, key: transaction.key(of: entry.model))
        }
        return discarded
      }
      if discarded.isEmpty { return }
      let models = discarded.compactMap { $0.entry }
      proxy.noteWritten(models.map(\.model))
      for entry in models { outbox?.tell(.discarded(subject(entry.model, entry.id))) }
    }
  }

  func setHeld(_ isHeld: Bool) async throws {
    try await repository.transact(isShort: true) { transaction in
      if try transaction.isHeld != isHeld { try transaction.setHeld(isHeld) }
    }
  }

  func isHeld() async throws -> Bool {
    try await repository.look(isShort: true) { try $0.isHeld }
  }

  func releaseLease() async {
    guard let holder = outbox?.holder else { return }
    try? await repository.transact(isShort: true) { transaction in
      if try transaction.lease?.holder == holder { try transaction.setLease(nil) }
    }
  }

  func subject(_ model: Model, _ entry: String = "", _ reason: String = "") -> Outbox.Subject {
    Outbox.Subject(
      model: self.model, modelID: (try? ModelID.each(of: [model]))?.first?.description ?? "",
      entry: entry, reason: reason)
  }
}

struct WeakOutbox {
  weak var outbox: Outbox?
}
