/// The state of one tag in this process, which all repositories with that tag share.
///
/// It lives as long as one of them, and its tasks end with it.
package final class CacheEntry<Content: Sendable>: CacheRegistry.Entry {
  typealias Machine = CacheMachine<Content>
  typealias Source = any CacheSource<Content>
  typealias Buffer = CacheSubscribers<Content>.Buffer

  struct State {
    package var machine = Machine()
    package var subscribers: [UInt64: CacheSubscribers<Content>] = [:]
    /// The presences of the repositories that poll; nil where one is unknown.
    var polled = Tally<AppPresence?>()
    var waiters: [UInt64: Waiter] = [:]
    /// How many callers wait for the content, or read it.
    var uses = 0
    /// Whether the limits would have deleted the cache, but for these callers.
    var isSpared = false
    /// The number of the last save, greater than those of all saves before it; zero for none.
    var savedAs: UInt64 = 0
    var workers: [PagePosition: CacheWorker] = [:]
    /// The registrations of the services that its repositories ask.
    var registrations: Set<ObjectIdentifier> = []
    var reading: Task<Void, Never>?
    /// The observation of others' changes of the ledger, while the entry is observed.
    var others: Evocation.Observation?
    /// Requests that the observation reports this version, after all changes before it.
    var barrier: (@Sendable (UInt64) -> Void)?
    /// When time alone changes something next; the entry may wake earlier, and then sleeps on.
    var checksAt: Duration?
  }

  /// A caller that waits for a load through a repository.
  struct Waiter {
    let repository: UInt64
    let end: Promise<CacheLoad.End>
  }

  /// Work to do after the lock is released: resume callers, wake readers, cancel tasks.
  ///
  /// All of it may immediately run the app's code, which may call the entry.
  typealias Followup = () -> Void

  package let tag: String
  /// The type of the sources that share the tag.
  let sourceType: any Any.Type
  let registry: CacheRegistry
  package let time: CacheTime
  /// Serializes what changes the record or the data: saves, updates, clearings and evictions.
  ///
  /// It is not the line of the models' writes: an app's own source has none, a write has its turn
  /// until the remote repository answers, and caches of the same models need not wait for each other.
  package let line: WriteSerializer
  /// What callers wait for: the fetch of all data, and the load of a page in each direction.
  let works = Dictionary(
    uniqueKeysWithValues: PagePosition.allCases.map { ($0, CacheWork()) })
  private let alarm: Alarm
  let state = Lock(State())

  init(_ tag: String, of sourceType: any Any.Type, in registry: CacheRegistry, time: CacheTime) {
    self.tag = tag
    self.sourceType = sourceType
    self.registry = registry
    self.time = time
    alarm = Alarm(time.source)
    line = WriteSerializer("the cache of \(Content.self)")
  }

  deinit {
    let tasks = state.withLock { state in
      state.workers.values.map(\.task) + [state.reading].compactMap(\.self)
    }
    for task in tasks { task.cancel() }
    registry.forget(tag, ObjectIdentifier(self))
  }

  /// Takes an event, with the source of the repository that caused it, if one did.
  func handle(_ event: Machine.Event, for source: Source? = nil) {
    recordFetch(event)
    change { state, now in
      carryOut(state.machine.handle(event, at: now), source, in: &state, at: now)
    }
  }

  /// Changes the state, and then does the work that follows outside the lock.
  func change(_ body: (inout State, CacheMoment) -> [Followup]) {
    let now = time.now
    let (followups, old) = state.withLock { state in
      // Released outside the lock, because that may run a deinit of the app's.
      let old = state.machine.snapshot()
      return (body(&state, now), old)
    }
    for followup in followups { followup() }
    registry.follow(time, at: now)
    withExtendedLifetime(old) {}
  }

  /// Performs effects, and returns the work to do after the lock is released.
  func carryOut(
    _ effects: [Machine.Effect], _ source: Source?, in state: inout State, at now: CacheMoment
  ) -> [Followup] {
    var followups: [Followup] = []
    for effect in effects {
      switch effect {
      case .publish(let snapshot):
        for number in Array(state.subscribers.keys) {
          state.subscribers[number]?.show(snapshot, at: now, tag: tag, after: &followups)
        }
      case .load(let position, let number):
        // Work that a caller waits for is part of the work around that caller.
        let isWaitedFor = !state.waiters.isEmpty
        let scope = isWaitedFor ? WriteScope.open : nil
        let isFirst = state.machine.loads[position].run(number)?.isFirst == true
        // An observer has something to show while it runs, unless it is the first fetch.
        let background = isWaitedFor ? BackgroundWork.current : isFirst ? nil : BackgroundWork()
        state.workers[position] = Self.loader(of: position, source, in: state).flatMap { source in
          BackgroundWork.$current.withValue(background) {
            worker(position, number, source: source, inside: scope)
          }
        }
      case .cancel(let position):
        let worker = state.workers.removeValue(forKey: position)
        worker?.scope.close()
        Self.cancel(worker?.task, &followups)
      case .read(let number):
        Self.cancel(state.reading, &followups)
        Self.release(&state.barrier, &followups)
        let observing = state.subscribers.values.first { !$0.buffers.isEmpty }?.source
        state.reading = (observing ?? source).map { reading(number, $0) }
      case .stopReading:
        Self.cancel(state.reading, &followups)
        Self.release(&state.barrier, &followups)
        state.reading = nil
      case .answer(let waiters, let end):
        let found = waiters.compactMap { state.waiters.removeValue(forKey: $0) }
        followups.append { for waiter in found { waiter.end.fulfil(end) } }
      }
    }
    planWaking(in: &state, at: now, after: &followups)
    return followups
  }

  /// Releases a value outside the lock, because that may run a deinit of the app's.
  private static func release<Value>(_ value: inout Value?, _ followups: inout [Followup]) {
    guard let old = value else { return }
    value = nil
    followups.append { withExtendedLifetime(old) {} }
  }

  private static func cancel(_ task: Task<Void, Never>?, _ followups: inout [Followup]) {
    if let task { followups.append { task.cancel() } }
  }

  /// Returns the source that loads: the one that asked, or else one that wants it and can fetch.
  private static func loader(
    of position: PagePosition, _ source: Source?, in state: State
  ) -> Source? {
    if let source, source.policy.canFetch || position != .replacing { return source }
    let able = state.subscribers.values.filter(\.source.policy.canFetch)
    let wanting = able.filter { !$0.buffers.isEmpty && $0.source.policy.isAutomatic }
    // A fetch that mirrors is enough for all of them.
    return (wanting.first(where: \.source.policy.mirrors) ?? wanting.first ?? able.first)?.source
  }

  /// Plans the next check, for changes by time alone.
  ///
  /// A due check stays planned until it is made. Otherwise an event just before it could postpone
  /// it, or replace it.
  private func planWaking(
    in state: inout State, at now: CacheMoment, after followups: inout [Followup]
  ) {
    guard !Self.isCheckDue(state, at: now) else { return }
    let next = state.machine.timeToNextCheck(at: now).map {
      now.time.adding(max($0, .milliseconds(1)))
    }
    state.checksAt = next
    guard let next else { return }
    followups.append { [weak self, alarm] in
      alarm.ring(by: next) { [weak self] in self?.wake() }
    }
  }

  private func wake() {
    change { state, now in
      // The alarm may ring before the check is due, and is set again then.
      guard Self.isCheckDue(state, at: now) else { return carryOut([], nil, in: &state, at: now) }
      state.checksAt = nil
      updatePresence(in: &state, at: now)
      return carryOut(state.machine.handle(.checked, at: now), nil, in: &state, at: now)
    }
  }

  private static func isCheckDue(_ state: State, at now: CacheMoment) -> Bool {
    state.checksAt.map { $0.subtracting(now.time) < .milliseconds(1) } ?? false
  }
}

/// Identifies the fetch of a cache, or of a page in one direction.
final class CacheWork: Sendable {}

/// A task that fetches, and the scope by which calls inside it are recognized.
struct CacheWorker: Sendable {
  let task: Task<Void, Never>
  let scope: WriteScope
  /// What it is while nobody waits for it; nil if somebody did from the beginning.
  let background = BackgroundWork.current

  /// Begins work; inside the work that waits for it, if there is any.
  init(
    _ work: CacheWork, inside outer: WriteScope?,
    _ body: @escaping @Sendable (WriteScope) async -> Void
  ) {
    let scope = WriteScope(work, inside: outer)
    self.scope = scope
    task = WriteScope.ofTask.withValue(scope) { Task { await body(scope) } }
  }
}
