import Foundation

extension Strategy {
  /// How often and when a failed target is asked again: exponential backoff with jitter.
  ///
  /// The pause before attempt *n* + 1 is `delay` × `multiplier`ⁿ⁻¹, at most `maximumDelay`, less a
  /// random part of up to `jitter` of it. Where an error says how long to wait, as a service does with
  /// `Retry-After`, the pause is at least that long. Where it asks for more than `maximumDelay`, or
  /// than the rule's timeout leaves, nothing is asked again: the failure is answered at once, so that
  /// the fallback is not kept waiting, nor are the writes behind it, and the trace says until when the
  /// service asks to wait.
  public struct Retry: Sendable, Hashable {
    /// How many times the target is asked at most, the first time included.
    public var attempts: Int

    /// The pause after the first failure.
    public var delay: Duration

    /// The factor by which each pause is longer than the one before; at least 1.
    public var multiplier: Double

    /// The longest pause, also when a service asks for a longer one.
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

    /// Why the rule does not wait as long as the service asks, as a sentence; nil when it does.
    ///
    /// `left` is what is left of the rule's timeout.
    func refusal(
      ofWaitFor error: any Error, left: Duration?, of timeout: Duration?, at date: Date
    ) -> String? {
      guard let wait = (error as? any ClassifiedError)?.retryAfter else { return nil }
      if wait > maximumDelay {
        let limit = "the rule's maximumDelay of \(maximumDelay.brief)"
        return "The server asks to wait \(wait.end(after: date)), longer than \(limit)."
      }
      guard let left, let timeout, wait >= left else { return nil }
      let limit = "the rule's timeout of \(timeout.brief) leaves"
      return "The server asks to wait \(wait.end(after: date)), longer than \(limit)."
    }
  }
}

extension Duration {
  /// Until when it goes from a date on, as the end of a sentence; how long, when that is too far off.
  fileprivate func end(after date: Date) -> String {
    guard self < .tooLongToSleep else { return "for \(brief)" }
    let day = Date.ISO8601FormatStyle().year().month().day()
    let end = date.addingTimeInterval(seconds)
    let time = end.formatted(Date.ISO8601FormatStyle().time(includingFractionalSeconds: false))
    let isToday = end.formatted(day) == date.formatted(day)
    return "until \(isToday ? "" : end.formatted(day) + " ")\(time) UTC"
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
