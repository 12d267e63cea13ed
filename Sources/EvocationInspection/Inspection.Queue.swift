public import Evocation
public import Foundation

extension Inspection {
  /// The outbox.
  public struct Queue: Sendable, Hashable, Codable {
    /// The number of entries that are sent automatically, now or later.
    public var pending: Int

    /// The number of parked entries, which wait for your app.
    public var parked: Int

    /// Whether an entry is being sent.
    public var isSending: Bool

    /// Why sending has paused, such as `offline`; nil if it has not.
    public var pause: String?

    /// The oldest 200 entries of each model type, in their order.
    public var entries: [Entry]
  }

  /// A write that the server does not have yet.
  public struct Entry: Sendable, Hashable, Codable, Identifiable {
    /// What happens to an entry next.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
      /// It is sent when its turn comes.
      case pending
      /// It is being sent.
      case sending
      /// It failed, and is sent again later.
      case waiting
      /// It failed for good, and waits for your app.
      case parked
      /// This version of the app cannot decode it.
      case unreadable
    }

    /// The id of the entry, which is its `IdempotencyKey`.
    public var id: String

    /// The position among the entries of its store: older entries have lower numbers.
    public var position: Int64

    /// The model type's name.
    public var model: String

    /// What the entry does to its model.
    public var kind: Outbox.EntryKind

    /// When your app wrote it.
    public var queuedAt: Date

    /// The number of failed attempts.
    public var attempts: Int

    /// How urgent it is, by the rule of its write.
    public var priority = Strategy.Priority.normal

    /// What happens to it next.
    public var state: State

    /// When it is sent again; nil if it does not wait.
    public var until: Date?

    /// The kind of the failure of a parked entry.
    public var failure: FailureKind?

    /// The status of the service's answer to the last attempt; nil if that has none.
    public var status: Int?

    /// Why the last attempt failed; nil in an inspection that hides values.
    public var reason: String?

    /// What the service said about the last attempt; nil in an inspection that hides values.
    public var message: String?

    /// What the service said about single fields; nil in an inspection that hides values.
    public var fields: [String: [String]]?

    /// The id of the model; nil in an inspection that hides values.
    public var modelID: String?

    /// The model as JSON; nil in an inspection that hides values.
    public var value: String?
  }
}

extension Inspection.Entry {
  init<Model: Sendable>(
    _ record: OutboxRecord<Model>, of model: String, isSending: Bool, showsValues: Bool
  ) {
    switch record {
    case .entry(let entry):
      self.init(entry, of: model, isSending: isSending, showsValues: showsValues)
    case .unreadable(let entry):
      self.init(
        id: entry.id, position: entry.position, model: model, kind: entry.kind,
        queuedAt: entry.queuedAt, attempts: 0, state: .unreadable,
        reason: showsValues ? entry.reason : nil,
        value: showsValues ? String(decoding: entry.json, as: UTF8.self) : nil)
    }
  }

  private init<Model: Sendable>(
    _ entry: Outbox.Entry<Model>, of model: String, isSending: Bool, showsValues: Bool
  ) {
    self.init(
      id: entry.id, position: entry.position, model: model, kind: entry.kind,
      queuedAt: entry.queuedAt, attempts: entry.attempts, priority: entry.priority,
      state: .pending)
    let last = entry.lastFailure
    (status, failure) = (last?.status, entry.failure?.kind)
    switch entry.state {
    case .pending: state = isSending ? .sending : .pending
    case .sending: state = .sending
    case .waiting(let end, _): (state, until) = (.waiting, end)
    case .parked: state = .parked
    }
    guard showsValues else { return }
    (reason, message, fields) = (last?.reason, last?.message, last?.fields)
    modelID = (try? ModelID.each(of: [entry.model]))?.first?.description
    value = InspectedValue.json(of: entry.model)
  }
}

/// The text of a model in an inspection.
enum InspectedValue {
  /// The model as JSON; nil for a type that is not `Encodable`.
  static func json(of model: some Sendable) -> String? {
    ModelJSON.ordered(ifCoded: model).map { String(decoding: $0, as: UTF8.self) }
  }
}
