public import Foundation

extension Outbox {
  /// The status of the outbox.
  public struct Status: Sendable, Hashable, PlainlyPrinted {
    /// The number of entries that the outbox sends automatically, now or later.
    public let pending: Int
    /// The number of parked entries, which failed for good and wait for your app.
    public let parked: Int
    /// Whether this process is sending an entry.
    public let isSending: Bool
    /// The reason why sending has paused; nil if it has not.
    public let pause: Pause?
    /// The date of the oldest entry; nil without entries.
    public let oldest: Date?

    /// Creates a status.
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

  /// The reason why sending has paused.
  public enum Pause: Sendable, Hashable, PlainlyPrinted {
    /// Your app called ``Outbox/pause()``.
    case byApp
    /// There is no connection.
    case offline
    /// A server refused the credential, or the user has signed out.
    ///
    /// The text is the reason: what the error of your app's `authorization` closure says, if it has
    /// thrown one with a text of its own. After a refused credential, sending to other servers goes on.
    case authorization(String)
  }

  /// The state of a model that differs from the server.
  public enum SyncState: Sendable, Hashable, PlainlyPrinted {
    /// The outbox sends its changes automatically.
    case pending
    /// A change is parked: it failed for good, and waits for your app.
    case parked(reason: String)
  }

  /// The result of a flush.
  ///
  /// Results are equal if their numbers are, whatever the reason.
  public struct FlushResult: Sendable, Hashable, CustomStringConvertible {
    /// The number of entries that the server has executed since the flush began.
    public var sent: Int
    /// The number of entries that are still to be sent.
    public var left: Int
    /// The number of parked entries.
    public var parked: Int

    /// Why entries are left, in a sentence for the developer; nil if none is left.
    ///
    /// For example, another process has the lease on the file, or a server is paused.
    public var reason: String?

    /// Creates a result.
    public init(sent: Int = 0, left: Int = 0, parked: Int = 0, reason: String? = nil) {
      self.sent = sent
      self.left = left
      self.parked = parked
      self.reason = reason
    }

    /// The numbers.
    public var description: String {
      "FlushResult(sent: \(sent), left: \(left), parked: \(parked))"
    }

    /// Whether the numbers are equal.
    public static func == (left: FlushResult, right: FlushResult) -> Bool {
      (left.sent, left.left, left.parked) == (right.sent, right.left, right.parked)
    }

    /// Hashes the numbers.
    public func hash(into hasher: inout Hasher) {
      for number in [sent, left, parked] { hasher.combine(number) }
    }
  }

  /// What happens to unsent writes when the user signs out.
  public enum UnsentWrites: Sendable, Hashable, CaseIterable, PlainlyPrinted {
    /// Signing out fails if there are any.
    case block
    /// They are discarded, and the local store gets back what the server has.
    case discard
    /// They wait until ``Outbox/resume()``, for the same user.
    case keep
  }

  /// Something that happened to the outbox.
  public enum Event: Sendable, Hashable, PlainlyPrinted {
    /// A write was queued.
    case queued(Subject)
    /// The server has executed a write.
    case sent(Subject)
    /// A write failed, and the outbox will send it again.
    case willRetry(Subject)
    /// A write was parked: it failed for good, and waits for your app.
    case parked(Subject)
    /// The server has another state than a write was made on, and Evocation asks your app's
    /// resolver.
    case conflict(Subject)
    /// A write was discarded.
    case discarded(Subject)
    /// The server assigned another id to a model.
    ///
    /// The first text is the former id.
    case renamed(Subject, from: String, to: String)
    /// Sending has paused.
    case paused(Pause)
    /// Sending has resumed.
    case resumed
  }

  /// The write that an event concerns.
  public struct Subject: Sendable, Hashable, PlainlyPrinted, CustomReflectable {
    /// The name of the model's type.
    public var model: String
    /// The id of the model.
    public var modelID: String
    /// The id of the entry; empty if it is not known.
    public var entry: String
    /// The reason; empty if there is none.
    public var reason: String
    /// The failed attempt of a write that was parked, will be retried or is in conflict; else nil.
    ///
    /// A printed subject leaves it out.
    public var failure: Failure?

    /// The parts that are printed.
    public var customMirror: Mirror {
      Mirror(
        self, children: ["model": model, "modelID": modelID, "entry": entry, "reason": reason],
        displayStyle: .struct)
    }

    /// Creates a subject.
    public init(
      model: String, modelID: String, entry: String = "", reason: String = "",
      failure: Failure? = nil
    ) {
      self.model = model
      self.modelID = modelID
      self.entry = entry
      self.reason = reason
      self.failure = failure
    }
  }
}
