public import Evocation

extension Outbox.Status {
  /// What the badge above the list says; nil if the server has everything.
  public var badge: String? {
    var words: [String] = []
    switch pause {
    case .offline: words.append("Offline")
    case .authorization: words.append("Sign in to send")
    case .byApp, nil: break
    }
    if pending > 0 { words.append("\(pending) to be sent") }
    if parked > 0 { words.append("\(parked) refused") }
    return words.isEmpty ? nil : words.joined(separator: " · ")
  }
}

extension Outbox.Failure {
  /// The reason, in a sentence for the user: the server's own, if it has sent one.
  public var explanation: String {
    switch kind {
    case .conflict: "This note was changed somewhere else in the meantime."
    case .authorization: message ?? "You may not make this change."
    case .permanent, .transient: message ?? "The server refused this change."
    }
  }
}
