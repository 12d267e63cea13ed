/// The limits that all models of a service share.
///
/// The repositories of an ``HTTPService`` share them at each host. Two services share no limits, even
/// at the same host.
///
/// ```swift
/// configuration.limits.rate = .init(requests: 10, per: .seconds(1))
/// configuration.limits.backoff = [.retryAfter]
/// configuration.limits.breaker = .init(failures: 5, pause: .seconds(30))
/// ```
///
/// Requests that wait are sent by the priority of the tasks that make them, and in their order among
/// equals. Those of a prefetch, of `catchUp(deadline:progress:)` and of a refresh that nobody waits for
/// have at most the priority `utility`, so that a user's call passes them. After eight requests that
/// passed it, the one that has waited longest is sent.
///
/// A request that waits for its turn does not use up its timeout. You can cancel it like any other
/// request.
public struct HTTPLimits: Sendable, Hashable {
  /// How many requests run at the same time; 6 by default, at least 1.
  public var requestsAtOnce: Int

  /// How many requests are sent in a period; nil, the default, sets no limit.
  public var rate: Rate?

  /// When Evocation pauses sending to a failing service; nil, the default, never pauses.
  public var breaker: Breaker?

  /// The header fields by which the service can ask for a wait; none by default.
  ///
  /// Until the wait is over, Evocation sends no requests. They fail immediately with
  /// ``HTTPError/Code/postponed``.
  public var backoff: [Backoff]

  /// The longest wait that a service may ask for; 5 minutes by default, 0 ignores all waits.
  public var longestBackoff: Duration

  /// Creates limits.
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
  /// A token bucket: a number of requests in each period, after an initial burst.
  public struct Rate: Sendable, Hashable {
    /// How many requests are sent in each period.
    public var requests: Int

    /// The length of the period.
    public var span: Duration

    /// How many requests may be sent at the same time after a rest; as many as in a period by default.
    public var burst: Int

    /// Creates a rate.
    public init(requests: Int, per span: Duration, burst: Int? = nil) {
      self.requests = requests
      self.span = span
      self.burst = burst ?? requests
    }
  }

  /// A circuit breaker: after several failures in a row Evocation sends nothing for a while.
  ///
  /// Then Evocation sends one request. If it succeeds, all waiting requests follow; if it fails, the
  /// pause begins again. Only failures that may pass count: no connection, a timeout, or a status from
  /// 500.
  public struct Breaker: Sendable, Hashable {
    /// How many failures without a success between them open the circuit breaker.
    public var failures: Int

    /// How long Evocation sends nothing.
    public var pause: Duration

    /// Creates a circuit breaker.
    public init(failures: Int, pause: Duration) {
      self.failures = failures
      self.pause = pause
    }
  }

  /// A header field by which a service asks clients to wait.
  public enum Backoff: Sendable, Hashable {
    /// `Retry-After` of a 429 or a 503, in seconds or as a date.
    case retryAfter

    /// A field with a number of seconds on any answer, such as `Backoff`.
    case seconds(String)

    /// Two fields: how many requests are left, and when there will be more.
    ///
    /// The time is a Unix time, or a number of seconds from now.
    case remaining(String, reset: String)
  }
}
