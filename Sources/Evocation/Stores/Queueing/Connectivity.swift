import Foundation

/// Reports whether servers can be reached.
///
/// On Apple platforms, an outbox that your app gives none asks the system. ``ProbedConnectivity``
/// asks a server of your own from time to time, on all platforms.
///
/// This conformance reports a connection that never changes:
///
/// ```swift
/// struct Line: Connectivity {
///   let isOnline: Bool
///
///   func changes() -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
/// }
/// ```
public protocol Connectivity: Sendable {
  /// Whether servers can be reached now.
  var isOnline: Bool { get }

  /// Returns a stream that reports whether servers can be reached, each time that changes.
  ///
  /// Each call returns another stream, for one reader.
  func changes() -> AsyncStream<Bool>
}

/// Finds out whether a server can be reached, by asking it from time to time.
///
/// ```swift
/// let connectivity = ProbedConnectivity(every: .seconds(30)) {
///   (try? await URLSession.shared.data(from: health)) != nil
/// }
/// ```
///
/// It asks while its changes are observed, which an outbox does as soon as there is something to
/// send. It asks often while there is no connection, and then less and less, up to the interval.
public final class ProbedConnectivity: Connectivity, PlainlyPrinted {
  private let interval: Duration
  private let clock: any Clock<Duration>
  private let probe: @Sendable () async -> Bool
  private let state = Broadcast<Bool>(last: true)
  /// The task that asks the server while somebody observes.
  private let probing = Lock<Task<Void, Never>?>(nil)

  /// Creates a connectivity that counts as online until a probe fails.
  ///
  /// - Parameters:
  ///   - interval: The longest time between two probes, at least one second.
  ///   - clock: The clock for the pauses between probes.
  ///   - probe: Asks the server, and returns whether it could be reached.
  public init(
    every interval: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
    _ probe: @escaping @Sendable () async -> Bool
  ) {
    self.interval = max(interval, .seconds(1))
    self.clock = clock
    self.probe = probe
  }

  deinit { probing.withLock { $0 }?.cancel() }

  /// The result of the last probe; true before the first.
  public var isOnline: Bool { state.last == true }

  /// Returns a stream of the results of probes that differ from the result before.
  public func changes() -> AsyncStream<Bool> {
    probing.change { probing -> (events: Broadcast<Bool>.Events, former: Task<Void, Never>?) in
      let isObserved = state.isObserved
      let events = state.events(keeping: 1)
      guard !isObserved else { return (events, nil) }
      defer { probing = probes() }
      return (events, probing)
    } afterwards: { events, former in
      former?.cancel()
      return events.stream
    }
  }

  private func probes() -> Task<Void, Never> {
    Task { [state, probing, probe, clock, interval] in
      let backoff = Backoff(first: .seconds(1), longest: interval)
      var probes = 1
      // Under the lock, because somebody may be about to observe.
      while !Task.isCancelled, probing.withLock({ _ in state.isObserved }) {
        // The probes since the last news count like failures.
        probes = state.set(await probe()) ? 1 : probes.addingClamped(1)
        let pause = backoff.pause(after: probes)
        guard (try? await clock.sleepWithinBounds(for: pause)) != nil else { return }
      }
    }
  }
}

#if canImport(Network)
  import Network

  /// The system's state of the network path.
  final class PathConnectivity: Connectivity {
    /// The connectivity that outboxes use by default.
    static let shared = PathConnectivity()

    private let monitor = NWPathMonitor()
    private let state = Broadcast<Bool>(last: true)

    /// Begins to observe the network path.
    init() {
      monitor.pathUpdateHandler = { [state] path in state.set(path.status == .satisfied) }
      monitor.start(queue: DispatchQueue(label: "Evocation.PathConnectivity"))
    }

    deinit { monitor.cancel() }

    /// Whether there is a path.
    var isOnline: Bool { state.last == true }

    /// Returns a stream that reports whether there is a path, each time that changes.
    func changes() -> AsyncStream<Bool> { state.events(keeping: 1).stream }
  }
#endif
