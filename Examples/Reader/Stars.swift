import Evocation
import Fixtures

/// A star that the user gave to an airport; the outbox sends it to the service.
struct Star: Codable, Identifiable, Hashable, Sendable {
  /// The code of the airport.
  let id: String
  var name: String
}

/// The airports with stars, the stars that the service does not have yet, and the outbox.
///
/// Each is nil until it is known.
struct Stars: Equatable, Sendable {
  /// A change in one of the three observed values.
  enum Change: Sendable {
    case given(Set<String>)
    case unsent([String: Outbox.SyncState])
    case status(Outbox.Status)
  }

  private(set) var given: Set<String>?
  private(set) var unsent: [String: Outbox.SyncState]?
  private(set) var status: Outbox.Status?

  var isKnown: Bool { given != nil && unsent != nil && status != nil }

  mutating func take(_ change: Change) {
    switch change {
    case .given(let ids): given = ids
    case .unsent(let states): unsent = states
    case .status(let present): status = present
    }
  }

  /// Returns the character beside an airport: a star, which is hollow until the service has it.
  func mark(of airport: Airport) -> Character {
    switch unsent.flatMap({ $0[airport.id] }) {
    case .pending: "☆"
    case .parked: "!"
    case nil: isGiven(to: airport) ? "★" : " "
    }
  }

  func isGiven(to airport: Airport) -> Bool { given?.contains(airport.id) ?? false }

  /// The state of the outbox as text.
  var line: String {
    guard let status else { return "…" }
    var parts = [status.pending == 0 ? "all stars are sent" : "☆ \(status.pending) to be sent"]
    if status.parked > 0 { parts.append("! \(status.parked) refused") }
    switch status.pause {
    case .authorization: parts.append("sign in to send")
    case .byApp: parts.append("paused")
    case .offline, nil: break
    }
    return parts.joined(separator: " · ")
  }
}
