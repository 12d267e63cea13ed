import Foundation

extension Strategy {
  /// How often and when a failed target is asked again: exponential backoff with jitter.
  ///
  /// The pause before attempt *n* + 1 is `delay` × `multiplier`ⁿ⁻¹, at most `maximumDelay`, less a
  /// random part of up to `jitter` of it. Where an error says how long to wait, the pause is at
  /// least that long.
  public struct Retry: Sendable, Hashable {
    /// How many times the target is asked at most, the first time included.
    public var attempts: Int

    /// The pause after the first failure.
    public var delay: Duration

    /// The factor by which each pause is longer than the one before; at least 1.
    public var multiplier: Double

    /// The longest pause.
    public var maximumDelay: Duration

    /// The random part of a pause, from 0 to 1.
    public var jitter: Double

    /// Which failures are worth another attempt.
    public var kinds: Set<FailureKind> {
      get { Set(FailureKind.allCases.filter { kindBits & $0.bit != 0 }) }
      set { kindBits = Self.bits(of: newValue) }
    }

    /// The kinds as bits, because a `Set` would be retained and released with every copy of a rule,
    /// of which a call makes several.
    private var kindBits: UInt8

    /// Makes a retry, by default of transient failures, half a second after the first.
    public init(
      attempts: Int,
      delay: Duration = .milliseconds(500),
      multiplier: Double = 2,
      maximumDelay: Duration = .seconds(30),
      jitter: Double = 0.5,
      kinds: Set<FailureKind> = [.transient]
    ) {
      self.attempts = attempts
      self.delay = delay
      self.multiplier = multiplier
      self.maximumDelay = maximumDelay
      self.jitter = jitter
      kindBits = Self.bits(of: kinds)
    }

    private static func bits(of kinds: Set<FailureKind>) -> UInt8 {
      kinds.reduce(0) { $0 | $1.bit }
    }

    /// The pause after a number of failed attempts; nil when there must be no further attempt.
    ///
    /// `chance` is a number from 0 up to 1, drawn for this pause.
    package func pause(after failures: Int, _ error: any Error, chance: Double) -> Duration? {
      guard failures < attempts, kindBits & FailureKind(error).bit != 0 else { return nil }
      let growth = pow(multiplier, Double(failures - 1))
      let longest = min(delay.multiplied(by: growth), maximumDelay)
      let pause = longest.multiplied(by: 1 - jitter * chance)
      return max(pause, (error as? any ClassifiedError)?.retryAfter ?? .zero)
    }
  }
}

extension FailureKind {
  fileprivate var bit: UInt8 {
    switch self {
    case .transient: 1
    case .authorization: 2
    case .permanent: 4
    case .conflict: 8
    }
  }
}
