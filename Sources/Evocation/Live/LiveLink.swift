import Foundation

/// The subscription of one model type: saves what the service of its present registration sends.
///
/// The registration is looked up each time that something may have changed, so that a type that is
/// registered again is followed at its new service alone.
final class LiveLink<Model: Sendable>: LiveLinking {
  private struct State {
    /// What each observation observes apart from caches.
    var followers: [UInt64: @Sendable () -> Set<Criteria>] = [:]
    var lastNumber: UInt64 = 0
    var hasEnded = false
    var hasConnected = false
    /// Set while the last observation has just ended.
    var stay: UInt64?
    /// The subscription that runs.
    var run: Run?
    /// The number of the last look at what to follow that counted.
    var look: UInt64 = 0
    /// The store whose mark is of the service that is followed; nil before the first connection.
    var markedStore: StoreID?
    /// Whether another service may have been registered since.
    var hasMoved = false

    /// Returns the next number.
    mutating func number() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private struct Run {
    let number: UInt64
    let target: LiveTarget<Model>
    let task: Task<Void, Never>
  }

  private weak let updates: LiveUpdates?
  private let state = Lock(State())

  init(in updates: LiveUpdates) {
    self.updates = updates
  }

  /// Adds an observation, and returns its number.
  func enter(_ criteria: @escaping @Sendable () -> Set<Criteria>) -> UInt64 {
    state.withLock { state in
      let number = state.number()
      state.followers[number] = criteria
      return number
    }
  }

  /// Removes an observation, and returns the number of the stay that begins with the last one.
  func leave(_ number: UInt64) -> UInt64? {
    state.change { state -> (released: (@Sendable () -> Set<Criteria>)?, stay: UInt64?) in
      let released = state.followers.removeValue(forKey: number)
      if state.followers.isEmpty { state.stay = state.number() }
      return (released, state.followers.isEmpty ? state.stay : nil)
    } afterwards: {
      $0.stay
    }
  }

  /// Ends a stay without observers, unless another one has begun since.
  func end(_ stay: UInt64) {
    state.withLock { if $0.stay == stay { $0.stay = nil } }
    update()
  }

  /// What is observed apart from caches.
  var observedCriteria: Set<Criteria> {
    let followers = state.withLock { Array($0.followers.values) }
    return followers.reduce(into: []) { $0.formUnion($1()) }
  }

  /// Begins or ends a subscription, as what is known now asks for.
  ///
  /// It looks without the lock, because that calls the app's code. Of several looks at the same time,
  /// the one that began last counts, because it has seen the last change. A stay keeps a subscription,
  /// and begins none.
  func update() {
    let look = state.withLock { $0.number() }
    let target = updates?.target(of: Model.self)
    let ended = state.change { state -> Run? in
      guard look > state.look else { return nil }
      state.look = look
      let isUsed = !state.followers.isEmpty || state.stay != nil && state.run != nil
      let wanted = isUsed && !state.hasEnded ? target : nil
      if let run = state.run, let wanted, run.target.isSame(as: wanted) { return nil }
      let ended = Self.takeRun(of: &state)
      if let wanted {
        let number = state.number()
        state.run = Run(number: number, target: wanted, task: running(wanted, number))
      }
      return ended
    } afterwards: { run in
      run?.task.cancel()
      return run
    }
    if let ended { showLive(ended.target) }
  }

  func move() {
    state.withLock { $0.hasMoved = true }
    stop()
    update()
  }

  @discardableResult
  func stop() -> Task<Void, Never>? {
    let ended = state.change { state -> Run? in
      // A look that began before does not count any more.
      state.look = state.number()
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
    _ = state.run?.target.place.live.set(nil)
    return state.run
  }

  private func running(_ target: LiveTarget<Model>, _ number: UInt64) -> Task<Void, Never> {
    WriteScope.apart {
      Task.detached { [weak self] in
        guard let self else { return }
        await LiveRun(self, target, number: number).run()
      }
    }
  }
}

// What a subscription asks and tells.
extension LiveLink {
  /// Whether a subscription is the present one, so that what it reads is saved.
  func isPresent(_ number: UInt64) -> Bool {
    state.withLock { $0.run?.number == number }
  }

  /// Notes that a connection begins, and returns whether it is the first one.
  func noteConnection() -> Bool {
    state.withLock { state in
      defer { state.hasConnected = true }
      return !state.hasConnected
    }
  }

  /// Whether the mark in a store may be of another service, or of another user of the same one.
  func isForeign(_ store: StoreID) -> Bool {
    state.withLock { $0.hasMoved && $0.markedStore == store }
  }

  /// Notes that the mark in a store is of the service that a subscription follows.
  func noteMarked(_ store: StoreID, by number: UInt64) {
    state.withLock { state in
      guard state.run?.number == number else { return }
      (state.markedStore, state.hasMoved) = (store, false)
    }
  }

  /// Returns the pace at which to connect; nil if the instance has ended.
  func pace(of target: LiveTarget<Model>) -> LivePace? {
    updates?.pace(of: target.service ?? target.proxy.tagPrefix)
  }

  /// Sets since when changes arrive, and shows it in the states of caches.
  ///
  /// Only the present subscription can set a date.
  func noteLive(_ date: Date?, by number: UInt64) {
    let target = state.withLock { state -> LiveTarget<Model>? in
      guard let run = state.run, run.number == number, run.target.place.live.set(date) else {
        return nil
      }
      return run.target
    }
    target.map(showLive)
  }

  private func showLive(_ target: LiveTarget<Model>) {
    target.proxy.knownFetches(target.place).registry.noteLive(prefix: target.proxy.tagPrefix)
  }
}
