public import Dispatch

extension Evocation {
  /// The configuration of an `Evocation`.
  public struct Configuration: Sendable, PlainlyPrinted {
    /// The clock for timeouts, pauses, ages and durations; pass a ``DateClock`` to date fetches
    /// too.
    public var clock: any Clock<Duration>

    /// The queue on which Evocation calls callbacks; nil for any thread.
    ///
    /// A callback that blocks a serial queue delays the callbacks behind it, but not their calls.
    /// If it waits there for another callback, or for the main queue while this is the main queue,
    /// it waits forever. Set a queue only if callbacks have to run on it.
    public var callbackQueue: DispatchQueue?

    /// Receives the trace of every call when it ends, and of each breach of a repository's
    /// contract.
    ///
    /// Evocation calls it on the thread that ended the call, so it must be quick.
    public var onTrace: (@Sendable (Trace) -> Void)?

    /// The log that gets an entry for each call when it ends; off by default.
    ///
    /// Evocation calls ``onTrace`` inside the call, and the log outside of it, so that the log may
    /// be slow.
    public var log: Log

    /// Draws a number from 0 up to 1, for the jitter of retries.
    public var chance: @Sendable () -> Double

    /// The ledger, which records when queries were fetched, unless the local repository keeps one.
    ///
    /// The default ledger is empty again when the process ends.
    public var ledger: any FetchLedger

    /// How the outbox sends.
    public var outbox: Outbox.Configuration

    /// Reports whether the app is active; nil if no object reports it.
    ///
    /// Evocation validates observed caches when the app becomes active, and does not poll while it
    /// is inactive. The default is the system's activity on Apple platforms, and nil elsewhere.
    public var activity: (any AppActivity)?

    /// Returns a key that equal reads must have in common to be one request.
    ///
    /// Evocation calls it in the caller's task, for each read that may join another
    /// (``Strategy/Rule/joins``). If a repository's answer depends on a task-local value, such as
    /// the user of a request on a server, return that value, so that no caller gets an answer that
    /// was meant for another.
    ///
    /// ```swift
    /// let configuration = Evocation.Configuration(joinKey: { Session.user })
    /// ```
    public var joinKey: (@Sendable () -> String?)?

    /// Creates a configuration: real time, callbacks on any thread, no trace closure and no log.
    public init(
      clock: any Clock<Duration> = ContinuousClock(),
      callbackQueue: DispatchQueue? = nil,
      onTrace: (@Sendable (Trace) -> Void)? = nil,
      log: Log = .off,
      chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
      ledger: any FetchLedger = InMemoryFetchLedger(),
      outbox: Outbox.Configuration = .init(),
      activity: (any AppActivity)? = Configuration.systemActivity,
      joinKey: (@Sendable () -> String?)? = nil
    ) {
      self.clock = clock
      self.callbackQueue = callbackQueue
      self.onTrace = onTrace
      self.log = log
      self.chance = chance
      self.ledger = ledger
      self.outbox = outbox
      self.activity = activity
      self.joinKey = joinKey
    }

    /// The activity that the system reports; nil if it reports none.
    public static var systemActivity: (any AppActivity)? {
      #if canImport(Darwin)
        NotificationActivity.system
      #else
        nil
      #endif
    }
  }
}
