extension Outbox {
  /// How the outbox sends.
  public struct Configuration: Sendable {
    /// To how many instances something is sent at once.
    public var concurrency: Int

    /// The pauses after failures that may pass: exponential, with jitter; `attempts` does not count.
    ///
    /// The outbox first waits as long as the server asks. After a long outage, the devices of your
    /// users return spread over `maximumDelay`: five minutes by default, so that a single device waits
    /// at most that long. ``fleet`` has twenty minutes, for very many devices and one server.
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
        attempts: .max, delay: .seconds(1), multiplier: 2, maximumDelay: .minutes(5),
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

    /// The configuration for an app on a hundred thousand devices: pauses of up to twenty minutes.
    ///
    /// A server that takes a thousand requests a second needs as long for ten entries of each device.
    /// `Documentation/Fleet.md` has the simulation.
    public static var fleet: Configuration {
      var configuration = Configuration()
      configuration.retry.maximumDelay = .minutes(20)
      return configuration
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
    /// What the write was made on; nil for nothing.
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

  /// How it is found out that the remote has another state than a write was made on.
  public enum ConflictDetection: Sendable, Hashable, CaseIterable {
    /// By the version where the service gave one with what the write was made on, else by comparison.
    case automatic
    /// By the service alone, which refuses a write that was made on another version.
    case version
    /// By asking for the model just before an update or a removal is sent, and comparing it with what the
    /// write was made on, property by property. What changes between the two is not seen, unless the service
    /// gives a version with its answer.
    case comparison
    /// Not at all: the last writer wins.
    case nothing
  }

  /// One of the two sides of a conflict.
  public enum Side: Sendable, Hashable, CaseIterable {
    /// The app's.
    case mine
    /// The remote's.
    case theirs
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

extension Outbox.Resolution {
  /// Takes each property from the side that alone has changed it.
  ///
  /// ```swift
  /// .conflicts { try .mergedByFields($0) }
  /// ```
  ///
  /// A property is one key of the object that the model is coded as. What both have changed, to different
  /// values, is taken from the side that is preferred; without one the entry is parked. So it is where one
  /// side has removed the model, or both have added it.
  ///
  /// - Parameters:
  ///   - conflict: The conflict that the resolver was given.
  ///   - side: Whose value counts where both have changed a property; nil to park the entry.
  /// - Returns: The merged model, or the side that it is equal to.
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)`` for a model that is not coded as an object, and
  ///   what decoding the merged model throws.
  public static func mergedByFields(
    _ conflict: Outbox.Conflict<Model>, preferring side: Outbox.Side? = nil
  ) throws -> Self {
    let preferred: Self =
      switch side {
      case .mine: .mine
      case .theirs: .theirs
      case nil: .park
      }
    guard conflict.kind != .remove, let theirs = conflict.theirs else { return preferred }
    guard let mine = PayloadCoding.properties(of: conflict.mine),
      let others = PayloadCoding.properties(of: theirs)
    else {
      throw EvocationError.unmappable(
        model: "\(Model.self)", property: "self", reason: "it is not coded as an object")
    }
    let base = conflict.base.flatMap { PayloadCoding.properties(of: $0) }
    var merged = others
    for key in mine.keys.union(others.keys) where mine[key] != others[key] {
      let (isMine, isTheirs) = (mine[key] != base?[key], others[key] != base?[key])
      guard isMine else { continue }
      if isTheirs || base == nil {
        guard let side else { return .park }
        if side == .theirs { continue }
      }
      merged[key] = mine[key]
    }
    if merged == others { return .theirs }
    if merged == mine { return .mine }
    guard let model = try PayloadCoding.model(Model.self, merged) else { return preferred }
    return .merged(model)
  }
}

extension Outbox.Conflict: Equatable where Model: Equatable {}
