internal import Evocation
import Foundation

/// The subscription of one model type: saves what the service of its present registration sends.
///
/// The registration is looked up each time that something may have changed, so that a type that is
/// registered again is followed at its new service alone.
final class LiveLink<Model: Sendable>: LiveLinking {
  private struct State {
    var lastNumber: UInt64 = 0
    var hasEnded = false
    var hasConnected = false
    /// How long the subscription stays without observers.
    var stay = Stay.none
    /// The subscription that runs.
    var run: Run?
    /// How far the subscription is.
    var phase = Evocation.Live.Status.Phase.connecting
    var error: (any Error)?
    /// The number of the last look at what to follow that counted.
    var look: UInt64 = 0

    /// Returns the next number.
    mutating func number() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private enum Stay: Equatable {
    case none
    /// It stays for the next screen; the number tells it from an earlier stay.
    case running(UInt64)
    /// Its time is over, which every later look has to see.
    case over

    var isRunning: Bool { if case .running = self { true } else { false } }
  }

  private struct Run {
    let number: UInt64
    let target: LiveTarget<Model>
    let gaps: LiveGaps
    let task: Task<Void, Never>
  }

  private weak let live: Evocation.Live?
  private let state = Lock(State())

  init(in live: Evocation.Live) {
    self.live = live
  }

  /// How long a subscription stays without observers: often the next screen observes the same models.
  private static var lingering: Duration { .milliseconds(500) }

  /// Begins or ends a subscription, as what is known now asks for.
  ///
  /// It looks without the lock, because that calls the app's code. Of several looks at the same time,
  /// the one that began last counts, because it has seen the last change. Without observers, a
  /// subscription stays for a time, and none begins.
  func update() { update(after: nil) }

  /// Does the same after a stay.
  private func update(after former: UInt64?) {
    let look = state.withLock { state in
      if let former, state.stay == .running(former) { state.stay = .over }
      return state.number()
    }
    let target = live?.target(of: Model.self)
    let isObserved = live?.environment.demand.isObserved(Model.self) ?? false
    var observed: LiveGaps?
    let (ended, stay) = state.change { state -> (ended: Run?, stay: UInt64?) in
      guard look > state.look else { return (nil, nil) }
      state.look = look
      let began = Self.stays(&state, isObserved: isObserved)
      let isUsed = isObserved || state.stay.isRunning
      let wanted = isUsed && !state.hasEnded ? target : nil
      if let run = state.run, let wanted, run.target.isSame(as: wanted) {
        observed = run.gaps
        return (nil, began)
      }
      let ended = Self.takeRun(of: &state)
      if let wanted {
        let run = LiveRun(self, wanted, number: state.number())
        state.run = Run(
          number: run.number, target: wanted, gaps: run.gaps, task: running(run))
      }
      return (ended, began)
    } afterwards: { ended, stay in
      ended?.task.cancel()
      return (ended, stay)
    }
    if let ended { showLive(ended.target) }
    if let stay { linger(stay) }
    // Something else may be observed, which was fetched before changes were missed.
    observed?.news.put(())
  }

  /// Begins or ends a stay, and returns the number of one that begins.
  private static func stays(_ state: inout State, isObserved: Bool) -> UInt64? {
    if isObserved || state.run == nil { state.stay = .none }
    guard !isObserved, state.run != nil, state.stay == .none else { return nil }
    let number = state.number()
    state.stay = .running(number)
    return number
  }

  /// Ends the subscription after a time, unless the app observes again before.
  private func linger(_ stay: UInt64) {
    guard let time = live?.environment.time else { return }
    WriteScope.apart {
      _ = Task.detached { [weak self] in
        try? await time.sleep(Self.lingering)
        self?.update(after: stay)
      }
    }
  }

  @discardableResult
  func stop() -> Task<Void, Never>? {
    let ended = state.change { state -> Run? in
      // A look that began before does not count any more.
      state.look = state.number()
      state.stay = .none
      return Self.takeRun(of: &state)
    } afterwards: { run in
      run?.task.cancel()
      return run
    }
    if let ended { showLive(ended.target) }
    return ended?.task
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    stop()
  }

  /// Takes the subscription out of the state, to be canceled.
  private static func takeRun(of state: inout State) -> Run? {
    defer { state.run = nil }
    _ = state.run?.target.binding.live.disconnect()
    state.error = nil
    return state.run
  }

  private func running(_ run: LiveRun<Model>) -> Task<Void, Never> {
    WriteScope.apart { Task.detached { await run.run() } }
  }
}

// What a subscription asks and tells.
extension LiveLink {
  /// Whether a subscription is the present one, so that what it reads is saved.
  func isPresent(_ number: UInt64) -> Bool {
    state.withLock { $0.run?.number == number }
  }

  /// Records that a connection begins, and returns whether it is the first one.
  func countConnection() -> Bool {
    state.withLock { state in
      defer { state.hasConnected = true }
      return !state.hasConnected
    }
  }

  /// What is observed apart from caches.
  var observedCriteria: Set<Criteria> { live?.environment.demand.criteria(of: Model.self) ?? [] }

  /// Returns the pace at which to connect; nil if the instance has ended.
  func pace(of target: LiveTarget<Model>) -> LivePace? {
    live?.pace(of: target.service ?? target.proxy.tagPrefix)
  }

  /// Changes what is known of the changes that arrive, and shows it in the states of caches.
  ///
  /// Only the present subscription can.
  func change(by number: UInt64, _ change: (LiveStatus) -> Bool) {
    let target = state.withLock { state -> LiveTarget<Model>? in
      guard let run = state.run, run.number == number, change(run.target.binding.live) else {
        return nil
      }
      return run.target
    }
    target.map(showLive)
  }

  /// Records how far the present subscription is, and the error that is the reason, until it is connected.
  func show(
    _ phase: Evocation.Live.Status.Phase, because error: (any Error)? = nil, by number: UInt64
  ) {
    let isNews = state.change { state -> (Bool, (any Error)?) in
      guard state.run?.number == number else { return (false, error) }
      let old = (state.phase, state.error)
      state.phase = phase
      if phase == .connected || error != nil { state.error = error }
      return (old.0 != phase || error != nil, old.1)
    } afterwards: { isNews, _ in
      isNews
    }
    if isNews { live?.tellStatus() }
  }

  var status: Evocation.Live.Status {
    state.withLock { state in
      let isBehind = state.run.map { $0.target.binding.live.since?.isFilling ?? true } ?? false
      return .init(
        model: stableName(of: Model.self), phase: state.run == nil ? .idle : state.phase,
        isBehind: isBehind, error: state.run == nil ? nil : state.error)
    }
  }

  private func showLive(_ target: LiveTarget<Model>) {
    let registry = target.proxy.knownFetches(target.binding).registry
    registry.send(.liveChanged, prefix: target.proxy.tagPrefix)
    live?.tellStatus()
  }
}
