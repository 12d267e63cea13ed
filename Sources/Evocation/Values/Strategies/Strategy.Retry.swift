package import Foundation

extension Strategy {
  /// How often and when to ask a failed target again: exponential backoff with jitter.
  ///
  /// The pause before attempt *n* + 1 is `delay` × `multiplier`ⁿ⁻¹, at most `maximumDelay`, less a
  /// random part of up to `jitter` of it. If an error says how long to wait, as a server does with
  /// `Retry-After`, the pause is at least that long. If that exceeds `maximumDelay`, or the rest of
  /// the rule's timeout, Evocation does not retry. It returns the failure or asks the fallback
  /// immediately, so that neither the fallback nor later writes wait. The trace then says until
  /// when the server asks to wait.
  public struct Retry: Sendable, Hashable, PlainlyPrinted {
    /// How often Evocation asks the target at most, including the first time.
    public var attempts: Int

    /// The pause after the first failure.
    public var delay: Duration

    /// The factor by which each pause is longer than the one before; at least 1.
    public var multiplier: Double

    /// The longest pause, even if a server asks for a longer one.
    public var maximumDelay: Duration

    /// The random part of a pause, from 0 to 1.
    public var jitter: Double

    /// The kinds of failure after which to try again.
    public var kinds: Set<FailureKind> {
      get { Set(FailureKind.allCases.filter { kindBits & $0.bit != 0 }) }
      set { kindBits = Self.bits(of: newValue) }
    }

    /// The kinds as bits, because each copy of a rule would retain and release a `Set`, and a call
    /// makes several copies.
    private var kindBits: UInt8

    /// Creates a retry, by default of transient failures, with a first pause of half a second.
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

    /// Returns the pause after a number of failed attempts; nil if no attempt may follow.
    ///
    /// `chance` is a number from 0 up to 1, drawn for this pause.
    package func pause(after failures: Int, _ error: any Error, chance: Double) -> Duration? {
      guard failures < attempts, kindBits & FailureKind(error).bit != 0 else { return nil }
      return backoff.pause(
        after: failures, chance: chance, asked: (error as? any ClassifiedError)?.retryAfter)
    }

    /// The pauses, for any number of attempts.
    package var backoff: Backoff {
      Backoff(first: delay, multiplier: multiplier, longest: maximumDelay, jitter: jitter)
    }

    /// Returns a sentence why the rule waits less than the server asks; nil if it waits that long.
    ///
    /// `left` is the rest of the rule's timeout.
    package func refusal(
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
  /// Returns when a wait from a date ends, as the end of a sentence; its length, if that is too far
  /// off.
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
