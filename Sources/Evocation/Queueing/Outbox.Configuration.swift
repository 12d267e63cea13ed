extension Outbox {
  /// How the outbox sends.
  public struct Configuration: Sendable {
    /// To how many instances something is sent at once.
    public var concurrency: Int

    /// The pauses after failures that may pass: exponential, with jitter; `attempts` does not count.
    ///
    /// A service that says how long to wait is obeyed first. After a long outage the devices of an
    /// app come back spread over `maximumDelay`. So it is best a little longer than the service would
    /// need for all that they have to send; the default, twenty minutes, serves a hundred thousand
    /// devices with ten entries each and a service that takes a thousand requests a second. An app
    /// of a few thousand devices can do with a minute.
    public var retry: Strategy.Retry

    /// Whether entries are sent by themselves, and not only by ``Outbox/flush(deadline:)``.
    public var sendsAutomatically: Bool

    /// Says whether the remote can be reached; nil to find out by trying.
    ///
    /// By default it is the system's word on Apple platforms, and nil elsewhere.
    public var connectivity: (any Connectivity)?

    /// After how long an attempt without an answer has failed.
    public var timeout: Duration

    /// For how long a process that was killed keeps others from sending what lies in the same file.
    public var lease: Duration

    /// Makes a configuration.
    public init(
      concurrency: Int = 4,
      retry: Strategy.Retry = Strategy.Retry(
        attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .seconds(1200),
        jitter: 0.5),
      sendsAutomatically: Bool = true,
      connectivity: (any Connectivity)? = Configuration.systemConnectivity,
      timeout: Duration = .seconds(60),
      lease: Duration = .seconds(15)
    ) {
      self.concurrency = max(1, concurrency)
      self.retry = retry
      self.sendsAutomatically = sendsAutomatically
      self.connectivity = connectivity
      self.timeout = max(.milliseconds(1), timeout)
      self.lease = max(.milliseconds(100), lease)
    }

    /// What the system says of the network; nil where it says nothing.
    public static var systemConnectivity: (any Connectivity)? {
      #if canImport(Network)
        PathConnectivity.shared
      #else
        nil
      #endif
    }
  }

  /// A write that the remote did not take, because it has another state than the write was made on.
  public struct Conflict<Model: Sendable>: Sendable {
    /// What was to be done.
    public var kind: EntryKind
    /// What the remote was believed to have; nil for nothing.
    public var base: Model?
    /// What the app wrote; of a removal, the model as it last was.
    public var mine: Model
    /// What the remote has; nil for nothing, or removed.
    public var theirs: Model?

    /// Makes a conflict.
    public init(kind: EntryKind, base: Model?, mine: Model, theirs: Model?) {
      self.kind = kind
      self.base = base
      self.mine = mine
      self.theirs = theirs
    }
  }

  /// How a conflict ends.
  public enum Resolution<Model: Sendable>: Sendable {
    /// The app's write is sent again, on top of what the remote has.
    case mine
    /// The app's write is given up, and local gets what the remote has.
    case theirs
    /// This model is sent, and local gets it.
    case merged(Model)
    /// The entry is parked, for the user to decide.
    case park
  }
}

extension Outbox.Conflict: Equatable where Model: Equatable {}
