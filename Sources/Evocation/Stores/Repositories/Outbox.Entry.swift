public import Foundation

extension Outbox {
  /// One write that the server has not executed yet.
  ///
  /// ```swift
  /// for entry in try await Evocation.outbox.entries(of: Car.self) {
  ///   print(entry.kind, entry.model.id, entry.state)
  /// }
  /// ```
  public struct Entry<Model: Sendable>: Identifiable, Sendable, PlainlyPrinted {
    /// What the entry does to its model.
    public typealias Kind = EntryKind

    /// What happens to the entry next.
    public typealias State = EntryState

    /// The id of the write, the same for all its attempts: the ``IdempotencyKey`` that it is sent
    /// with.
    public var id: String

    /// What the entry does to its model.
    public var kind: Kind

    /// The model that the outbox will send.
    ///
    /// For a removal, the model as it last was.
    public var model: Model

    /// The model that your app edited, as the local store had it; nil if it had none.
    ///
    /// A refresh does not change it. If another entry on the same model is ahead, the base is the
    /// model of that entry.
    public var base: Model?

    /// The model that the server is known to have now; nil if it is known to have none.
    ///
    /// The local store gets it back when your app discards the entry.
    public var seen: Model? {
      get { refreshed ?? base }
      set { refreshed = .some(newValue) }
    }

    /// What the server has returned since the write was made; nil if it has returned nothing.
    package var refreshed: Model??

    /// The server's version of the base; nil if there is none.
    public var version: String? {
      get { note?.version }
      set { note = newValue.map { .version($0) } }
    }

    /// What the server said about the base besides its values.
    package var note: AnswerNote?

    /// The date of the write.
    public var queuedAt: Date

    /// The number of failed attempts.
    public var attempts: Int

    /// What happens to the entry next.
    public var state: State

    /// How urgent the entry is, by the rule of its write.
    ///
    /// One that is ``Strategy/Priority/utility`` becomes ``Strategy/Priority/normal`` when a normal
    /// write is merged into it, or waits for it.
    public var priority: Strategy.Priority

    /// The position among the entries of the repository's store: older entries have lower numbers.
    ///
    /// The store assigns the number, and does not assign it again while the entry exists.
    package var position: Int64

    /// Whether an attempt may have reached the server, so that the write can no longer be changed.
    package var wasAttempted: Bool

    /// The instances that the model refers to.
    ///
    /// Earlier entries on them are sent before this one.
    package var references: [Reference]

    /// The instances that the base refers to and the model does not.
    ///
    /// Their entries are sent after this one.
    package var formerReferences: [Reference]

    /// The date at which the entry began to wait; nil if it does not wait.
    package var waitsSince: Date?

    /// The position of the first entry of its unit; nil for an entry of its own.
    ///
    /// The entries of a unit have consecutive positions.
    package var unit: Int64?

    /// Whether the server's state was read after an attempt had begun.
    package var isSeenSince = false

    /// What the service said about the last attempt; nil if it said nothing, or there is a new one.
    package var words: ServiceWords?

    /// Creates an entry.
    package init(
      id: String, kind: Kind, model: Model, base: Model?, note: AnswerNote? = nil, queuedAt: Date,
      attempts: Int = 0, state: State = .pending, position: Int64 = 0, wasAttempted: Bool = false,
      references: [Reference] = [], formerReferences: [Reference] = [], unit: Int64? = nil,
      priority: Strategy.Priority = .normal
    ) {
      self.id = id
      self.kind = kind
      self.model = model
      self.base = base
      self.note = note
      self.queuedAt = queuedAt
      self.attempts = attempts
      self.state = state
      self.position = position
      self.wasAttempted = wasAttempted
      self.references = references
      self.formerReferences = formerReferences
      self.unit = unit
      self.priority = priority
    }
  }

  /// What an entry does to its model.
  public enum EntryKind: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// Adds the model.
    case store
    /// Changes the model.
    case update
    /// Adds or changes the model.
    case storeOrUpdate
    /// Removes the model.
    case remove
  }

  /// What happens to an entry next.
  public enum EntryState: Sendable, Hashable, PlainlyPrinted {
    /// The outbox sends it when its turn comes.
    case pending
    /// The outbox is sending it.
    case sending
    /// It failed, and the outbox sends it again at a date.
    case waiting(until: Date, reason: String)
    /// It is parked: it failed for good, and waits for your app.
    ///
    /// Later entries on the same model wait for it. The outbox does not send it again
    /// automatically.
    case parked(FailureKind, reason: String)
  }

  /// Names an instance of a model by the queue of its repository and its key.
  ///
  /// References are equal if their texts have the same bytes, as with ids.
  package struct Reference: Sendable, Hashable, Codable {
    /// The ``OutboxStore/queueName`` of the model's repository.
    package var queue: String

    /// The ``OutboxTransaction/key(of:)`` of the instance.
    package var key: String

    /// Creates a reference.
    package init(queue: String, key: String) {
      self.queue = queue
      self.key = key
    }

    /// Whether both name the same instance.
    package static func == (left: Reference, right: Reference) -> Bool {
      left.key.hasSameBytes(as: right.key) && left.queue.hasSameBytes(as: right.queue)
    }

    /// Hashes the bytes of both texts.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(ByteText(queue))
      hasher.combine(ByteText(key))
    }
  }

  /// An entry whose models the present version of the app cannot decode.
  ///
  /// The outbox keeps it, and later entries on the same model wait, until a version of the app can
  /// decode it or your app discards it.
  public struct UnreadableEntry: Identifiable, Sendable, Hashable, PlainlyPrinted {
    /// The id of the entry.
    public var id: String

    /// What the entry does to its model.
    public var kind: EntryKind

    /// The name of the queue that contains the entry.
    public var queue: String

    /// The date of the write.
    public var queuedAt: Date

    /// The reason why it cannot be decoded.
    public var reason: String

    /// The model as JSON, as the version of the app that queued it encoded it.
    public var json: Data

    /// The position among the entries of the repository's store.
    package var position: Int64

    /// Creates an unreadable entry.
    package init(
      id: String, kind: EntryKind, queue: String, queuedAt: Date, reason: String, json: Data,
      position: Int64
    ) {
      self.id = id
      self.kind = kind
      self.queue = queue
      self.queuedAt = queuedAt
      self.reason = reason
      self.json = json
      self.position = position
    }
  }
}
