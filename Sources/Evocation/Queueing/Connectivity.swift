import Foundation

/// Says whether services can be reached.
///
/// On Apple platforms an outbox asks the system, where it is given none. ``ProbedConnectivity`` asks a service of
/// one's own now and then, on all.
public protocol Connectivity: Sendable {
  /// Whether services can be reached now.
  var isOnline: Bool { get }

  /// Whether services can be reached, whenever that changes.
  func changes() -> AsyncStream<Bool>
}

/// Finds out whether a service can be reached by asking it now and then.
///
/// ```swift
/// let connectivity = ProbedConnectivity(every: .seconds(30)) {
///   (try? await URLSession.shared.data(from: health)) != nil
/// }
/// ```
///
/// It asks while somebody observes its changes, which an outbox does as soon as there is something to
/// send: often while there is no connection, and then less and less, up to the interval.
public final class ProbedConnectivity: Connectivity {
  /// Who listens, and what asks the service for them.
  private struct Probing {
    var listeners = 0
    var task: Task<Void, Never>?
  }

  private let interval: Duration
  private let clock: any Clock<Duration>
  private let probe: @Sendable () async -> Bool
  private let state = CurrentValue<Bool>(true)
  private let probing = Lock(Probing())

  /// Makes a connectivity that is taken to be there until a probe says otherwise.
  ///
  /// - Parameters:
  ///   - interval: The longest time between two probes; at least a second.
  ///   - clock: The clock that it waits by.
  ///   - probe: Asks the service, and says whether it could be reached.
  public init(
    every interval: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock(),
    _ probe: @escaping @Sendable () async -> Bool
  ) {
    self.interval = max(interval, .seconds(1))
    self.clock = clock
    self.probe = probe
  }

  deinit { probing.withLock { $0.task }?.cancel() }

  /// What the last probe said; true before the first.
  public var isOnline: Bool { state.value == true }

  /// What a probe says that the one before it did not.
  public func changes() -> AsyncStream<Bool> {
    probing.withLock { probing in
      probing.listeners += 1
      if probing.task == nil { probing.task = probes() }
    }
    return state.changes { [weak self] in self?.end() }
  }

  private func end() {
    let task = probing.withLock { probing -> Task<Void, Never>? in
      probing.listeners -= 1
      guard probing.listeners == 0 else { return nil }
      defer { probing.task = nil }
      return probing.task
    }
    task?.cancel()
  }

  private func probes() -> Task<Void, Never> {
    Task { [state, probe, clock, interval] in
      var pause = Duration.seconds(1)
      while !Task.isCancelled {
        let isNew = state.set(await probe())
        pause = isNew ? .seconds(1) : min(pause.multiplied(by: 2), interval)
        guard (try? await clock.sleepWithinBounds(for: pause)) != nil else { return }
      }
    }
  }
}

#if canImport(Network)
  import Network

  /// What the system says of the network's path.
  final class PathConnectivity: Connectivity {
    /// The one that outboxes ask by default.
    static let shared = PathConnectivity()

    private let monitor = NWPathMonitor()
    private let state = CurrentValue<Bool>(true)

    /// Begins to ask the system.
    init() {
      monitor.pathUpdateHandler = { [state] path in state.set(path.status == .satisfied) }
      monitor.start(queue: DispatchQueue(label: "Evocation.PathConnectivity"))
    }

    deinit { monitor.cancel() }

    /// Whether there is a path.
    var isOnline: Bool { state.value == true }

    /// Whether there is a path, whenever that changes.
    func changes() -> AsyncStream<Bool> { state.changes() }
  }
#endif
