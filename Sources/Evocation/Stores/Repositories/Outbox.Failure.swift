extension Outbox {
  /// Why the last attempt to send a write failed, with what the service said about it.
  ///
  /// ```swift
  /// for entry in try await evocation.outbox.entries(of: Note.self, id: note.id) {
  ///   guard let failure = entry.failure else { continue }
  ///   form.message = failure.message ?? "The server refused this change."
  ///   for (field, texts) in failure.fields { form.errors[field] = texts.joined(separator: " ") }
  /// }
  /// ```
  ///
  /// Evocation keeps it with the write, in a SQLite file also over a restart, and cuts off what is more
  /// than 32 KB. ``message`` and ``fields`` may contain user data: no log has them, and a printed
  /// failure leaves them out.
  public struct Failure: Sendable, Hashable, Codable, PlainlyPrinted, CustomReflectable {
    /// The kind of failure, such as a conflict.
    public let kind: FailureKind

    /// The reason, in a sentence for the developer.
    public let reason: String

    /// What the service said.
    package let words: ServiceWords?

    /// The status of the service's answer, such as 422; nil if it has none.
    public var status: Int? { words?.status }

    /// The service's own message about the write; nil if it sent none.
    public var message: String? { words?.message }

    /// The service's messages about single fields, by its names of the fields.
    ///
    /// Those of `HTTPRepository` have dots in the names of nested fields, such as `owner.name`.
    public var fields: [String: [String]] { words?.fields ?? [:] }

    /// The parts that may be printed: all but the service's messages.
    public var customMirror: Mirror {
      Mirror(
        self, children: ["kind": kind, "reason": reason, "status": status as Any],
        displayStyle: .struct)
    }

    package init(kind: FailureKind, reason: String, words: ServiceWords?) {
      self.kind = kind
      self.reason = reason
      self.words = words
    }

    /// Creates a failure, for previews and tests of your screens.
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - reason: The sentence for the developer.
    ///   - status: The status of the service's answer.
    ///   - message: The service's own message about the write.
    ///   - fields: The service's messages about single fields.
    public init(
      kind: FailureKind = .permanent, reason: String = "", status: Int? = nil,
      message: String? = nil, fields: [String: [String]] = [:]
    ) {
      let words = ServiceWords(status: status, message: message, fields: fields)
      self.init(kind: kind, reason: reason, words: words == ServiceWords() ? nil : words)
    }
  }
}

extension Outbox.Entry {
  /// The failure of a parked entry; nil for an entry that is not parked.
  public var failure: Outbox.Failure? { isParked ? lastFailure : nil }

  /// Why the last attempt failed, of an entry that is parked or waits; nil for any other.
  ///
  /// The failure of one that waits counts as transient, because the outbox sends it again.
  public var lastFailure: Outbox.Failure? {
    switch state {
    case .pending, .sending: nil
    case .waiting(_, let reason):
      Outbox.Failure(kind: .transient, reason: reason, words: words)
    case .parked(let kind, let reason): Outbox.Failure(kind: kind, reason: reason, words: words)
    }
  }
}
