public import Dispatch

extension Evocation {
  /// What an `Evocation` is made with.
  public struct Configuration: Sendable {
    /// The clock for timeouts, pauses, ages and durations; give a ``DateClock`` to date fetches too.
    public var clock: any Clock<Duration>

    /// Where callbacks are called; nil for any thread.
    ///
    /// A callback that keeps a serial queue keeps the callbacks behind it waiting, though not their
    /// calls: one that waits there for another callback, or for the main queue where this is the
    /// main queue, waits for ever. Give a queue only where callbacks have to be called on it.
    public var callbackQueue: DispatchQueue?

    /// Receives the trace of every call when it ends, and of each breach of a repository's contract.
    ///
    /// It is called on the thread that ended the call, and must be quick.
    public var onTrace: (@Sendable (Trace) -> Void)?

    /// Where each call is written as it ends; nowhere by default.
    ///
    /// ``onTrace`` is called in the call, and the log is not: it may be slow.
    public var log: Log

    /// Draws a number from 0 up to 1, for the jitter of retries.
    public var chance: @Sendable () -> Double

    /// Where it is remembered when caches were fetched, unless the local repository keeps that.
    ///
    /// The default forgets when the process ends.
    public var ledger: any FetchLedger

    /// How the outbox sends.
    public var outbox: Outbox.Configuration

    /// Says whether the app is active; nil where nothing says so.
    ///
    /// What is observed is validated when it becomes active, and is not polled while it is not. By
    /// default it is the system's word on Apple platforms, and nil elsewhere.
    public var activity: (any AppActivity)?

    /// What equal reads must have in common to be one request, as ``Strategy/Rule/joins`` says.
    ///
    /// It is called in the caller's task, for each read that may join another. A repository that looks at
    /// a task-local value, such as whose request it is on a server, answers by that value; name it here,
    /// so that nobody takes the answer that was meant for somebody else.
    ///
    /// ```swift
    /// let configuration = Evocation.Configuration(joinKey: { Session.user })
    /// ```
    public var joinKey: (@Sendable () -> String?)?

    /// Makes a configuration: real time, callbacks on any thread, no trace closure and no log.
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

    /// What the system says of the app's activity; nil where it says nothing.
    public static var systemActivity: (any AppActivity)? {
      #if canImport(Darwin)
        NotificationActivity.system
      #else
        nil
      #endif
    }
  }
}
