/// One repository at one tag, with those who observe through it.
struct CacheSubscribers<Source: CacheDataSource>: Sendable {
  typealias Buffer = EventBuffer<CacheEvent>
  typealias Snapshot = CacheSnapshot<Source.Cache>

  var client: CacheClient<Source>
  var buffers: [UInt64: Buffer] = [:]
  /// Those who were not shown anything yet.
  private var unshown: Set<UInt64> = []
  private(set) var shown: CacheState<Source.Cache>?
  /// Which content and which errors that was.
  private var shownMarks = Snapshot.Marks()

  init(_ client: CacheClient<Source>) {
    self.client = client
  }

  /// Shows everybody a state, apart from those who know it.
  ///
  /// What was shown before is let go of, and those who wait are woken, when the lock is open again.
  mutating func show(
    _ snapshot: Snapshot, at now: CacheMoment, tag: String, _ after: inout [() -> Void]
  ) {
    guard !buffers.isEmpty, snapshot.isPresentable(client.policy) else { return }
    let state = snapshot.state(client.policy, at: now, tag: tag)
    let marks = snapshot.marks(of: state)
    let isNew = !isShown(state, marks)
    guard isNew || !unshown.isEmpty else { return }
    let old = shown
    if isNew { remember(state, marks) }
    let event = CacheEvent(state)
    var arrivals: [Promise<Void>] = []
    for (number, buffer) in buffers where isNew || unshown.contains(number) {
      if let arrival = buffer.add(event) { arrivals.append(arrival) }
    }
    unshown = []
    after.append { [arrivals] in
      for arrival in arrivals { arrival.fulfil(()) }
      withExtendedLifetime(old) {}
    }
  }

  /// Adds one who observes, and shows that one the present state if there is any to show.
  mutating func add(
    _ buffer: Buffer, _ number: UInt64, _ snapshot: Snapshot, at now: CacheMoment, tag: String,
    _ after: inout [() -> Void]
  ) {
    // What was shown to others, who have left since, is not known to this one.
    if buffers.isEmpty {
      let old = shown
      after.append { withExtendedLifetime(old) {} }
      shown = nil
    }
    buffers[number] = buffer
    guard snapshot.isPresentable(client.policy) else {
      unshown.insert(number)
      return
    }
    let state = snapshot.state(client.policy, at: now, tag: tag)
    if let arrival = buffer.add(CacheEvent(state)) { after.append { arrival.fulfil(()) } }
    if shown == nil { remember(state, snapshot.marks(of: state)) }
  }

  /// Lets one go who observed; answers false when there was none.
  mutating func remove(_ number: UInt64) -> Bool {
    unshown.remove(number)
    return buffers.removeValue(forKey: number) != nil
  }

  /// What is shown says that a fetch has just ended in one state only, so that is not remembered.
  private mutating func remember(_ state: CacheState<Source.Cache>, _ marks: Snapshot.Marks) {
    shown = state.settled
    shownMarks = marks
  }

  /// Contents and errors are compared by their marks, because an app's own code would compare them.
  private func isShown(_ state: CacheState<Source.Cache>, _ marks: Snapshot.Marks) -> Bool {
    guard let shown, shownMarks == marks, shown.fetchedAt == state.fetchedAt else { return false }
    return shown.isSameBesides(state) { ($0 == nil) == ($1 == nil) }
  }
}
