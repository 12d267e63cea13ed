/// One repository of an entry, with its observers.
struct CacheSubscribers<Content: Sendable>: Sendable {
  typealias Buffer = Broadcast<CacheEvent>.Buffer
  typealias Snapshot = CacheSnapshot<Content>

  var source: any CacheSource<Content>
  var buffers: [UInt64: Buffer] = [:]
  /// The observers that have not received any state yet.
  private var unshown: Set<UInt64> = []
  private(set) var shown: CacheState<Content>?
  /// The marks of the shown content and errors.
  private var shownMarks = Snapshot.Marks()

  init(_ source: any CacheSource<Content>) {
    self.source = source
  }

  /// Shows a state to the observers that have not seen it.
  ///
  /// The old state is released, and readers are woken, after the lock is released.
  mutating func show(
    _ snapshot: Snapshot, at now: CacheMoment, tag: String, after: inout [() -> Void]
  ) {
    guard !buffers.isEmpty, snapshot.isPresentable(source.policy) else { return }
    let state = snapshot.state(source.policy, at: now, tag: tag)
    let marks = snapshot.marks(of: state)
    let isNew = !isShown(state, marks)
    guard isNew || !unshown.isEmpty else { return }
    let old = shown
    if isNew { remember(state, marks) }
    let event = CacheEvent(state)
    let wakes = buffers.compactMap { number, buffer in
      isNew || unshown.contains(number) ? buffer.add(event) : nil
    }
    unshown = []
    after.append {
      for wake in wakes { wake() }
      withExtendedLifetime(old) {}
    }
  }

  /// Adds an observer, and shows it the present state if there is one to show.
  mutating func add(
    _ buffer: Buffer, _ number: UInt64, seeing snapshot: Snapshot, at now: CacheMoment,
    tag: String, after: inout [() -> Void]
  ) {
    // The last state was shown to observers that have left.
    if buffers.isEmpty {
      let old = shown
      after.append { withExtendedLifetime(old) {} }
      shown = nil
    }
    buffers[number] = buffer
    guard snapshot.isPresentable(source.policy) else {
      unshown.insert(number)
      return
    }
    let state = snapshot.state(source.policy, at: now, tag: tag)
    if let wake = buffer.add(CacheEvent(state)) { after.append(wake) }
    if shown == nil { remember(state, snapshot.marks(of: state)) }
  }

  /// Removes an observer; false when there was none.
  mutating func remove(_ number: UInt64) -> Bool {
    unshown.remove(number)
    return buffers.removeValue(forKey: number) != nil
  }

  /// Remembers a state without the end of a fetch, because that is shown once.
  private mutating func remember(_ state: CacheState<Content>, _ marks: Snapshot.Marks) {
    shown = state.settled
    shownMarks = marks
  }

  /// Compares contents and errors by their marks, because their `==` is the app's code.
  private func isShown(_ state: CacheState<Content>, _ marks: Snapshot.Marks) -> Bool {
    guard let shown, shownMarks == marks, shown.fetchedAt == state.fetchedAt else { return false }
    return shown.isSameBesides(state) { ($0 == nil) == ($1 == nil) }
  }
}

/// A state for an observer of a cache.
///
/// It does not name the type of the cache, so that buffers are not generic: looking up types at
/// each step cost as much as all the rest. All observers of one repository get the same object.
struct CacheEvent: Sendable {
  private let content: any AnyObject & Sendable

  /// Creates an event from a state.
  init<Cache: Sendable>(_ state: CacheState<Cache>) {
    content = Content(state)
  }

  /// Returns the state of a cache of this type.
  func state<Cache: Sendable>(of cache: Cache.Type) -> CacheState<Cache>? {
    (content as? Content<Cache>)?.state
  }

  private final class Content<Cache: Sendable>: Sendable {
    let state: CacheState<Cache>

    init(_ state: CacheState<Cache>) {
      self.state = state
    }
  }
}
