/// What all models of a service must keep to together.
///
/// The repositories of an ``HTTPService`` share them at each host; two services share nothing, also at one.
///
/// ```swift
/// configuration.limits.rate = .init(requests: 10, per: .seconds(1))
/// configuration.limits.backoff = [.retryAfter]
/// configuration.limits.breaker = .init(failures: 5, pause: .seconds(30))
/// ```
///
/// A request that waits for its turn does not use up its timeout, and is cancelled as any other.
public struct HTTPLimits: Sendable, Hashable {
  /// How many requests are under way at once; 6 by default, at least 1.
  public var requestsAtOnce: Int

  /// How many requests are sent in a time; nil, the default, for as many as there are.
  public var rate: Rate?

  /// When a service that fails is left alone; nil, the default, for never.
  public var breaker: Breaker?

  /// Where an answer says that the next request should wait; nowhere by default.
  ///
  /// Until then requests are not sent, and fail at once with ``HTTPError/Code/postponed``.
  public var backoff: [Backoff]

  /// The longest wait that a service may ask for; 5 minutes by default, 0 for none.
  public var longestBackoff: Duration

  /// Makes limits.
  public init(
    requestsAtOnce: Int = 6, rate: Rate? = nil, breaker: Breaker? = nil,
    backoff: [Backoff] = [], longestBackoff: Duration = .seconds(300)
  ) {
    self.requestsAtOnce = requestsAtOnce
    self.rate = rate
    self.breaker = breaker
    self.backoff = backoff
    self.longestBackoff = longestBackoff
  }
}

extension HTTPLimits {
  /// A token bucket: so many requests at once at first, and so many in each span of time.
  public struct Rate: Sendable, Hashable {
    /// How many requests are sent in each span.
    public var requests: Int

    /// The span.
    public var span: Duration

    /// How many requests may be sent at once after a rest; as many as in a span by default.
    public var burst: Int

    /// Makes a rate.
    public init(requests: Int, per span: Duration, burst: Int? = nil) {
      self.requests = requests
      self.span = span
      self.burst = burst ?? requests
    }
  }

  /// A circuit breaker: after failures one upon the other nothing is sent for a while.
  ///
  /// Then one request goes out: when it succeeds all others follow, and else the pause begins anew.
  /// Failures are those that may pass: no connection, a timeout, a status from 500 on.
  public struct Breaker: Sendable, Hashable {
    /// How many failures without a success between them open it.
    public var failures: Int

    /// How long nothing is sent.
    public var pause: Duration

    /// Makes a circuit breaker.
    public init(failures: Int, pause: Duration) {
      self.failures = failures
      self.pause = pause
    }
  }

  /// A header field by which a service asks for a wait.
  public enum Backoff: Sendable, Hashable {
    /// `Retry-After` of a 429 or a 503: seconds, or a date.
    case retryAfter

    /// A field with seconds on any answer, such as `Backoff`.
    case seconds(String)

    /// Two fields: how many requests are left, and when there will be more, as a Unix time or as
    /// seconds from now.
    case remaining(String, reset: String)
  }
}
