import Foundation

/// The subscription of one model type: saves what the service sends to one local repository.
final class LiveLink<Model: Sendable>: LiveLinking {
  private struct State {
    /// What each observation observes apart from caches.
    var followers: [UInt64: @Sendable () -> Set<Criteria>] = [:]
    var lastNumber: UInt64 = 0
    var hasEnded = false
    var hasConnected = false
    /// Set while the last observation has just ended.
    var stay: UInt64?
    /// The subscription that runs, with its number.
    var run: (number: UInt64, task: Task<Void, Never>)?

    var isUsed: Bool { !followers.isEmpty || stay != nil }
  }

  let proxy: Proxy<Model>
  let place: LocalPlace<Model>
  let local: any Repository<Model>
  private weak let updates: LiveUpdates?
  private let state = Lock(State())

  init(
    _ proxy: Proxy<Model>, _ place: LocalPlace<Model>, local: any Repository<Model>,
    in updates: LiveUpdates
  ) {
    self.proxy = proxy
    self.place = place
    self.local = local
    self.updates = updates
  }

  var isUsed: Bool { state.withLock { $0.isUsed } }

  func follows(_ proxy: AnyObject) -> Bool { self.proxy === proxy }

  /// Adds an observation, and returns its number.
  func enter(_ criteria: @escaping @Sendable () -> Set<Criteria>) -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      state.followers[state.lastNumber] = criteria
      return state.lastNumber
    }
  }

  /// Removes an observation, and returns the number of the stay that begins with the last one.
  func leave(_ number: UInt64) -> UInt64? {
    state.change { state -> (released: (@Sendable () -> Set<Criteria>)?, stay: UInt64?) in
      let released = state.followers.removeValue(forKey: number)
      if state.followers.isEmpty {
        state.lastNumber += 1
        state.stay = state.lastNumber
      }
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

  func update() {
    let isPossible = updates?.isAway == false && proxy.wiring.live != nil
    let isEnded = state.change { state -> Task<Void, Never>? in
      let isWanted = isPossible && state.isUsed && !state.hasEnded
      guard isWanted != (state.run != nil) else { return nil }
      if !isWanted { return Self.stop(&state) }
      state.lastNumber += 1
      state.run = (state.lastNumber, running(state.lastNumber))
      return nil
    } afterwards: { task in
      task?.cancel()
      return task != nil
    }
    if isEnded { noteLive(nil) }
  }

  func forgetMark() { place.live.note(mark: nil) }

  func restart() {
    stop()
    update()
  }

  func end() {
    state.withLock { $0.hasEnded = true }
    stop()
  }

  private func stop() {
    state.change {
      Self.stop(&$0)
    } afterwards: {
      $0?.cancel()
    }
    noteLive(nil)
  }

  /// Takes the task out of the state, to be canceled.
  private static func stop(_ state: inout State) -> Task<Void, Never>? {
    defer { state.run = nil }
    return state.run?.task
  }

  private func running(_ number: UInt64) -> Task<Void, Never> {
    WriteScope.apart {
      Task.detached { [weak self] in
        guard let self else { return }
        await self.run(number)
      }
    }
  }

  /// Notes that a connection begins, and returns whether it is the first one.
  func noteConnection() -> Bool {
    state.withLock { state in
      defer { state.hasConnected = true }
      return !state.hasConnected
    }
  }

  /// Returns the pace at which to connect; nil if the link has ended.
  func pace(of live: any LiveRepository<Model>) -> LivePace? {
    updates?.pace(of: (live as? any SharedService)?.service ?? proxy.tagPrefix)
  }

  /// Sets since when changes arrive, and shows it in the states of caches.
  ///
  /// Only the present subscription can set a date.
  func noteLive(_ date: Date?, by number: UInt64? = nil) {
    let isNew = state.withLock { state in
      guard number == state.run?.number else { return false }
      return place.live.set(date)
    }
    if isNew { proxy.knownFetches(place).registry.noteLive(prefix: proxy.tagPrefix) }
  }
}
