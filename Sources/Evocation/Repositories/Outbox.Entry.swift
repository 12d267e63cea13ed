public import Foundation

extension Outbox {
  /// One write that the remote does not have yet.
  ///
  /// ```swift
  /// for entry in try await Evocation.outbox.entries(of: Car.self) {
  ///   print(entry.kind, entry.model.id, entry.state)
  /// }
  /// ```
  public struct Entry<Model: Sendable>: Identifiable, Sendable {
    /// What is done to the model.
    public typealias Kind = EntryKind

    /// What becomes of the entry next.
    public typealias State = EntryState

    /// Names the write over all its attempts: the ``IdempotencyKey`` that it is sent with.
    public var id: String

    /// What is done to the model.
    public var kind: Kind

    /// The model as it will be sent; for a removal, as it last was.
    public var model: Model

    /// The model that the write was made on, as local had it; nil where it had none.
    ///
    /// It does not move when a refresh comes. Behind another entry on the instance, it is that one's model.
    public var base: Model?

    /// The model as the remote is known to have it now, which local gets back when the entry is
    /// discarded; nil where the remote is known to have none.
    public var seen: Model? {
      get { refreshed ?? base }
      set { refreshed = .some(newValue) }
    }

    /// What the remote has said since the write was made; nil where it has said nothing.
    package var refreshed: Model??

    /// The service's version of what the write was made on; nil where it has none.
    public var version: String?

    /// When the write was made.
    public var queuedAt: Date

    /// How many attempts have failed.
    public var attempts: Int

    /// What becomes of the entry next.
    public var state: State

    /// Where it stands among the entries of its repository: entries with lower numbers are older.
    ///
    /// The repository gives the number, and never gives it twice while the entry is there.
    package var position: Int64

    /// Whether an attempt may have reached the remote, so that the write cannot be changed any more.
    package var wasAttempted: Bool

    /// The instances that the model refers to, whose earlier entries are sent before this one.
    package var references: [Reference]

    /// The instances that the base refers to and the model does not, which go after this one.
    package var formerReferences: [Reference]

    /// When it began to wait; nil where it does not.
    package var waitsSince: Date?

    /// The position of the first entry of those that are sent as one unit; nil for an entry of its own.
    ///
    /// The entries of a unit stand one behind another.
    package var unit: Int64?

    /// Whether what the remote has was seen after an attempt had begun.
    package var isSeenSince = false

    /// Makes an entry.
    package init(
      id: String, kind: Kind, model: Model, base: Model?, version: String? = nil, queuedAt: Date,
      attempts: Int = 0, state: State = .pending, position: Int64 = 0, wasAttempted: Bool = false,
      references: [Reference] = [], formerReferences: [Reference] = [], unit: Int64? = nil
    ) {
      self.id = id
      self.kind = kind
      self.model = model
      self.base = base
      self.version = version
      self.queuedAt = queuedAt
      self.attempts = attempts
      self.state = state
      self.position = position
      self.wasAttempted = wasAttempted
      self.references = references
      self.formerReferences = formerReferences
      self.unit = unit
    }
  }

  /// What an entry does to its model.
  public enum EntryKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Adds the model.
    case store
    /// Changes the model.
    case update
    /// Adds or changes the model.
    case storeOrUpdate
    /// Removes the model.
    case remove
  }

  /// What becomes of an entry next.
  public enum EntryState: Sendable, Hashable {
    /// It is sent when it is its turn.
    case pending
    /// It is being sent.
    case sending
    /// It failed, and is sent again at a time.
    case waiting(until: Date, reason: String)
    /// It is not sent again by itself; later entries on the instance wait for it.
    case parked(FailureKind, reason: String)
  }

  /// Names an instance of a model by the queue of its repository and its id.
  ///
  /// References are equal when their texts have the same bytes, as ids are.
  package struct Reference: Sendable, Hashable, Codable {
    /// The ``OutboxStore/queueName`` of the model's repository.
    package var queue: String

    /// The ``OutboxTransaction/key(of:)`` of the instance.
    package var key: String

    /// Makes a reference.
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

  /// An entry whose models the present app cannot decode.
  ///
  /// It is kept, and its instance waits, until a version of the app can decode it or it is discarded.
  public struct UnreadableEntry: Identifiable, Sendable, Hashable {
    /// The entry's id.
    public var id: String

    /// What it does to its model.
    public var kind: EntryKind

    /// The name of the queue that it lies in.
    public var queue: String

    /// When the write was made.
    public var queuedAt: Date

    /// Why it cannot be decoded.
    public var reason: String

    /// The model as JSON, as the app that queued it encoded it.
    public var json: Data

    /// Where it stands among the entries of its repository.
    package var position: Int64

    /// Makes an unreadable entry.
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
