import Foundation

/// A simulated service that takes so many requests a second, and refuses the others by its policy.
struct FleetService {
  /// How a service defends itself.
  enum Policy: String, CaseIterable {
    /// 429, with the whole seconds until what it has promised to others is done.
    case promised
    /// 429, and always the same `Retry-After`.
    case fixed
    /// 429, without a `Retry-After`.
    case bare
    /// 503, without a `Retry-After`.
    case unavailable
    /// 429 with what is promised; 503 without it for what comes beside twice its capacity.
    case mixed
  }

  enum Answer {
    case taken
    case refused(retryAfter: Duration?)
  }

  /// How many requests it takes at once after a lull.
  ///
  /// A smaller service takes as many, so that chance does no more to it than to a large one.
  private static let burst = 200.0

  let policy: Policy
  let capacity: Double
  private var tokens: Double
  private var refilled = 0.0
  /// When the next request that is refused could be taken, in seconds.
  private var promised = 0.0
  /// How much came lately, in requests a second.
  private var load = 0.0

  init(_ policy: Policy, capacity: Double) {
    self.policy = policy
    self.capacity = capacity
    tokens = Self.burst
  }

  mutating func answer(at now: Double) -> Answer {
    let passed = now - refilled
    tokens = min(Self.burst, tokens + passed * capacity)
    load = load * exp(-passed) + 1
    refilled = now
    guard tokens < 1 else {
      tokens -= 1
      return .taken
    }
    switch policy {
    case .promised: return .refused(retryAfter: promise(at: now))
    case .fixed: return .refused(retryAfter: .seconds(5))
    case .bare, .unavailable: return .refused(retryAfter: nil)
    case .mixed:
      return .refused(retryAfter: load > 2 * capacity ? nil : promise(at: now))
    }
  }

  private mutating func promise(at now: Double) -> Duration {
    promised = max(promised, now) + 1 / capacity
    return .seconds((promised - now).rounded(.up))
  }
}
