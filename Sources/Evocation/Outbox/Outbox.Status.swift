public import Foundation

extension Outbox {
  /// How the outbox stands.
  public struct Status: Sendable, Hashable {
    /// How many entries are sent by themselves, now or later.
    public let pending: Int
    /// How many entries are not sent again by themselves.
    public let parked: Int
    /// Whether an entry is being sent by this process.
    public let isSending: Bool
    /// Why nothing is sent; nil when it may be.
    public let pause: Pause?
    /// When the oldest entry was queued; nil without entries.
    public let oldest: Date?

    /// Makes a status.
    public init(
      pending: Int = 0, parked: Int = 0, isSending: Bool = false, pause: Pause? = nil,
      oldest: Date? = nil
    ) {
      self.pending = pending
      self.parked = parked
      self.isSending = isSending
      self.pause = pause
      self.oldest = oldest
    }
  }

  /// Why nothing is sent.
  public enum Pause: Sendable, Hashable {
    /// The app called ``Outbox/pause()``.
    case byApp
    /// There is no connection.
    case offline
    /// The service wants the user to sign in, and said so with these words.
    case authorization(String)
  }

  /// How a model stands that is not in step with the remote.
  public enum SyncState: Sendable, Hashable {
    /// It is sent by itself.
    case pending
    /// It is not sent again by itself.
    case parked(reason: String)
  }

  /// What a flush came to.
  public struct FlushResult: Sendable, Hashable {
    /// How many entries the remote has taken meanwhile.
    public var sent: Int
    /// How many are still to be sent.
    public var left: Int
    /// How many are parked.
    public var parked: Int

    /// Makes a result.
    public init(sent: Int = 0, left: Int = 0, parked: Int = 0) {
      self.sent = sent
      self.left = left
      self.parked = parked
    }
  }

  /// What becomes of unsent writes when the user signs out.
  public enum UnsentWrites: Sendable, Hashable, CaseIterable {
    /// Signing out fails while there are any.
    case block
    /// They are discarded, and local gets back what the remote has.
    case discard
    /// They wait until ``Outbox/resume()``, for the same user.
    case keep
  }

  /// Something that happened to the outbox.
  public enum Event: Sendable, Hashable {
    /// A write was queued.
    case queued(Subject)
    /// The remote has taken a write.
    case sent(Subject)
    /// A write failed, and is sent again later.
    case willRetry(Subject)
    /// A write is not sent again by itself.
    case parked(Subject)
    /// The remote has another state than a write was made on, and the app's resolver is asked.
    case conflict(Subject)
    /// A write was discarded.
    case discarded(Subject)
    /// The service gave a model another id, in place of the first of these.
    case renamed(Subject, from: String, to: String)
    /// Sending has paused.
    case paused(Pause)
    /// Sending goes on.
    case resumed
  }

  /// What an event is about.
  public struct Subject: Sendable, Hashable {
    /// The name of the model's type.
    public var model: String
    /// The id of the model.
    public var modelID: String
    /// The id of the entry; empty where it is not known.
    public var entry: String
    /// Why it happened; empty where nothing is to be said.
    public var reason: String

    /// Makes a subject.
    public init(model: String, modelID: String, entry: String = "", reason: String = "") {
      self.model = model
      self.modelID = modelID
      self.entry = entry
      self.reason = reason
    }
  }
}
