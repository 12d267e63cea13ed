import Foundation

/// Says whether services can be reached.
///
/// `PathConnectivity` asks the system on Apple platforms; ``ProbedConnectivity`` asks a service of
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
  private struct State {
    var isOnline = true
    var continuations: [UInt64: AsyncStream<Bool>.Continuation] = [:]
    var last: UInt64 = 0
    var task: Task<Void, Never>?
  }

  private let interval: Duration
  private let clock: any Clock<Duration>
  private let probe: @Sendable () async -> Bool
  private let state = Lock(State())

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

  deinit { state.withLock { $0.task }?.cancel() }

  /// What the last probe said; true before the first.
  public var isOnline: Bool { state.withLock { $0.isOnline } }

  /// What a probe says that the one before it did not.
  public func changes() -> AsyncStream<Bool> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = state.withLock { state in
        state.last += 1
        state.continuations[state.last] = continuation
        if state.task == nil { state.task = probing() }
        return state.last
      }
      continuation.onTermination = { [weak self] _ in self?.end(id) }
    }
  }

  private func end(_ id: UInt64) {
    let task = state.withLock { state -> Task<Void, Never>? in
      state.continuations[id] = nil
      guard state.continuations.isEmpty else { return nil }
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
  }

  private func probing() -> Task<Void, Never> {
    Task { [weak self, probe, clock, interval] in
      var pause = Duration.seconds(1)
      while !Task.isCancelled {
        let isOnline = await probe()
        guard let self else { return }
        let isNew = self.take(isOnline)
        pause = isNew ? .seconds(1) : min(pause.multiplied(by: 2), interval)
        guard (try? await clock.sleepWithinBounds(for: pause)) != nil else { return }
      }
    }
  }

  private func take(_ isOnline: Bool) -> Bool {
    state.withLock { state in
      guard state.isOnline != isOnline else { return false }
      state.isOnline = isOnline
      for continuation in state.continuations.values { continuation.yield(isOnline) }
      return true
    }
  }
}

#if canImport(Network)
  import Network

  /// What the system says of the network's path.
  public final class PathConnectivity: Connectivity {
    /// The one that outboxes ask by default.
    public static let shared = PathConnectivity()

    private let monitor = NWPathMonitor()
    private let state = Lock(
      (isOnline: true, continuations: [UUID: AsyncStream<Bool>.Continuation]()))

    /// Begins to ask the system.
    public init() {
      monitor.pathUpdateHandler = { [weak self] path in
        self?.state.withLock { state in
          guard state.isOnline != (path.status == .satisfied) else { return }
          state.isOnline = path.status == .satisfied
          for continuation in state.continuations.values { continuation.yield(state.isOnline) }
        }
      }
      monitor.start(queue: DispatchQueue(label: "Evocation.PathConnectivity"))
    }

    deinit { monitor.cancel() }

    /// Whether there is a path.
    public var isOnline: Bool { state.withLock { $0.isOnline } }

    /// Whether there is a path, whenever that changes.
    public func changes() -> AsyncStream<Bool> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let id = UUID()
        state.withLock { $0.continuations[id] = continuation }
        continuation.onTermination = { [weak self] _ in
          _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
        }
      }
    }
  }
#endif
