extension Outbox {
  /// How the outbox sends.
  public struct Configuration: Sendable, PlainlyPrinted {
    /// The number of instances for which the outbox sends at the same time, at least 1.
    public var concurrency: Int

    /// The pauses after failures that may pass: exponential, with jitter.
    ///
    /// `attempts` does not count. The outbox first waits as long as the server asks. After a long
    /// outage, the devices of your users return spread over `maximumDelay`: five minutes by
    /// default, so that a single device waits at most that long. ``fleet`` has twenty minutes, for
    /// very many devices and one server.
    public var retry: Strategy.Retry

    /// Whether the outbox sends automatically, and not only by ``Outbox/flush(deadline:)``.
    public var sendsAutomatically: Bool

    /// Reports whether servers can be reached; nil to find out by trying.
    ///
    /// The default asks the system on Apple platforms, and is nil elsewhere.
    public var connectivity: (any Connectivity)?

    /// The time after which an attempt without an answer has failed.
    public var timeout: Duration

    /// How long a process that was killed keeps others from sending the entries of the same file.
    public var lease: Duration

    /// Creates a configuration.
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
    /// A server that accepts a thousand requests a second needs as long for ten entries of each
    /// device. <doc:Fleet> has the simulation.
    public static var fleet: Configuration {
      var configuration = Configuration()
      configuration.retry.maximumDelay = .minutes(20)
      return configuration
    }

    /// The system's state of the network; nil if the platform reports none.
    public static var systemConnectivity: (any Connectivity)? {
      #if canImport(Network)
        PathConnectivity.shared
      #else
        nil
      #endif
    }
  }

  /// A write that meets another state on the server than the state that it was made on.
  public struct Conflict<Model: Sendable>: Sendable, PlainlyPrinted {
    /// The kind of the write.
    public var kind: EntryKind
    /// The model that your app edited; nil for none.
    public var base: Model?
    /// The model that your app wrote.
    ///
    /// For a removal, the model as it last was.
    public var mine: Model
    /// The model that the server has now; nil if it has none.
    public var theirs: Model?

    /// Creates a conflict.
    public init(kind: EntryKind, base: Model?, mine: Model, theirs: Model?) {
      self.kind = kind
      self.base = base
      self.mine = mine
      self.theirs = theirs
    }
  }

  /// How Evocation notices that the server has another state than a write was made on.
  public enum ConflictDetection: Sendable, Hashable, CaseIterable, PlainlyPrinted {
    /// By the version, if the server returned one with the base of the write, otherwise by
    /// comparison.
    ///
    /// To compare, Evocation asks for the model just before it sends, and compares it with the base.
    /// This concerns updates and removals, and compares property by property. Evocation does not
    /// see a change between the two requests, unless the server returns a version with its answer.
    /// An update of a model that the local store does not have is compared if a fetch has shown
    /// since what the server has.
    case automatic
    /// Not at all: the last writer wins.
    case nothing
  }

  /// One of the two sides of a conflict.
  public enum Side: Sendable, Hashable, CaseIterable, PlainlyPrinted {
    /// The app's side.
    case mine
    /// The server's side.
    case theirs
  }

  /// How a conflict ends.
  public enum Resolution<Model: Sendable>: Sendable, PlainlyPrinted {
    /// Evocation sends your app's write again, on top of what the server has.
    case mine
    /// Evocation gives up your app's write, and saves what the server has to the local store.
    case theirs
    /// Evocation sends this model, and saves it to the local store.
    case merged(Model)
    /// Evocation parks the entry, and the user decides.
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
  /// A property is one key of the object that the model is coded as. If both sides have changed a
  /// property to different values, the preferred side counts. Without a preferred side, the entry
  /// is parked. The same applies if one side has removed the model, or if both have added it.
  ///
  /// - Parameters:
  ///   - conflict: The conflict that the resolver received.
  ///   - side: The side whose value counts if both have changed a property; nil to park the entry.
  /// - Returns: The merged model, or the side that it is equal to.
  /// - Throws: ``EvocationError/unmappable(model:property:reason:)`` for a model that is not coded
  ///   as an object, and what decoding the merged model throws.
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
    guard let mine = ModelJSON.properties(of: conflict.mine),
      let others = ModelJSON.properties(of: theirs)
    else {
      throw EvocationError.unmappable(
        model: "\(Model.self)", property: "self", reason: "it is not coded as an object")
    }
    let base = conflict.base.flatMap { ModelJSON.properties(of: $0) }
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
    guard let model = try ModelJSON.model(Model.self, merged) else { return preferred }
    return .merged(model)
  }
}

extension Outbox.Conflict: Equatable where Model: Equatable {}
