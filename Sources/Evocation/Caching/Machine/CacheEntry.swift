/// The state of one tag in this process, which all repositories with that tag share.
///
/// It lives as long as one of them, and its tasks end with it.
final class CacheEntry<Source: CacheDataSource>: CacheRegistry.Entry {
  typealias Machine = CacheMachine<Source.Cache>
  typealias Client = CacheClient<Source>
  typealias Buffer = CacheSubscribers<Source>.Buffer

  struct State {
    var machine = Machine()
    var subscribers: [UInt64: CacheSubscribers<Source>] = [:]
    var waiters: [UInt64: Waiter] = [:]
    var pageWaiters: [UInt64: PageWaiter] = [:]
    var fetching: CacheWorker?
    var reading: Task<Void, Never>?
    /// The observation of others' changes of the ledger, while the entry is observed.
    var others: Evocation.Observation?
    /// Requests that the observation reports this version, after all changes before it.
    var reach: (@Sendable (UInt64) -> Void)?
    var waking: Task<Void, Never>?
    var wakesAt: Duration?
    /// When time alone changes something next; the entry may wake earlier, and then sleeps on.
    var checksAt: Duration?
    var lastNumber: UInt64 = 0
  }

  struct Waiter {
    let repository: UInt64
    let result: Promise<RefreshResult>
  }

  /// The load of a page, and the callers that wait for it.
  struct PageWaiter {
    let load: CacheWorker
    var callers: [PageCaller] = []
  }

  /// A caller that waits for a page through a repository.
  final class PageCaller: Sendable {
    let repository: UInt64
    let result = Promise<PageResult>()

    init(repository: UInt64) {
      self.repository = repository
    }
  }

  /// Work to do after the lock is released: resume callers, wake readers, cancel tasks.
  ///
  /// All of it may immediately run the app's code, which may call the entry.
  typealias Followup = () -> Void

  let tag: String
  let registry: CacheRegistry
  let time: CacheTime
  /// Serializes saves, updates and clearings.
  let line: WriteSerializer
  let fetchWork = CacheWork()
  let nextPageWork = CacheWork()
  let previousPageWork = CacheWork()
  let state = Lock(State())
  var sourceName: String { "\(Source.self)" }

  init(_ tag: String, _ registry: CacheRegistry, _ time: CacheTime) {
    self.tag = tag
    self.registry = registry
    self.time = time
    line = WriteSerializer("the cache of \(Source.Cache.self)")
  }

  deinit {
    let tasks = state.withLock { state in
      [state.fetching?.task, state.reading, state.waking]
        + state.pageWaiters.values.map(\.load.task)
    }
    for task in tasks { task?.cancel() }
    registry.forget(tag, ObjectIdentifier(self))
  }

  /// Takes an event, with the client of the repository that caused it, if one did.
  func handle(_ event: Machine.Event, for client: Client? = nil) {
    noteFetch(event)
    change { state, now in
      carryOut(state.machine.handle(event, at: now), client, &state, at: now)
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
    _ effects: [Machine.Effect], _ client: Client?, _ state: inout State, at now: CacheMoment
  ) -> [Followup] {
    var followups: [Followup] = []
    for effect in effects {
      switch effect {
      case .publish(let snapshot):
        for number in Array(state.subscribers.keys) {
          state.subscribers[number]?.show(snapshot, at: now, tag: tag, &followups)
        }
      case .fetch(let number):
        let isAwaited = !state.waiters.isEmpty
        state.fetching = Self.fetcher(client, state).map {
          fetching(number, $0, isAwaited: isAwaited)
        }
      case .cancelFetch:
        Self.end(state.fetching, &followups)
        state.fetching = nil
      case .read(let number):
        Self.cancel(state.reading, &followups)
        Self.release(&state.reach, &followups)
        let observing = state.subscribers.values.first { !$0.buffers.isEmpty }?.client
        state.reading = (observing ?? client).map { reading(number, $0) }
      case .stopReading:
        Self.cancel(state.reading, &followups)
        Self.release(&state.reach, &followups)
        state.reading = nil
      case .answer(let waiters, let result):
        let found = waiters.compactMap { state.waiters.removeValue(forKey: $0) }
        followups.append { for waiter in found { waiter.result.fulfil(result) } }
      case .answerPage(let number, let result):
        guard let waiter = state.pageWaiters.removeValue(forKey: number) else { continue }
        Self.end(waiter.load, &followups)
        followups.append { for caller in waiter.callers { caller.result.fulfil(result) } }
      }
    }
    planWaking(&state, at: now, &followups)
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

  private static func end(_ worker: CacheWorker?, _ followups: inout [Followup]) {
    worker?.scope.close()
    cancel(worker?.task, &followups)
  }

  /// Returns the client that fetches: the one that asked, or else one that wants it and can fetch.
  private static func fetcher(_ client: Client?, _ state: State) -> Client? {
    if let client, client.policy.canFetch { return client }
    let able = state.subscribers.values.filter(\.client.policy.canFetch)
    return (able.first { !$0.buffers.isEmpty && $0.client.policy.isAutomatic } ?? able.first)?
      .client
  }

  /// Plans the next check, for changes by time alone.
  ///
  /// A due check stays planned until it is made. Otherwise an event just before it could postpone
  /// it, or replace it.
  private func planWaking(_ state: inout State, at now: CacheMoment, _ followups: inout [Followup])
  {
    guard !Self.isCheckDue(state, at: now) else { return }
    let next = state.machine.timeToNextCheck(at: now).map {
      now.time.adding(max($0, .milliseconds(1)))
    }
    state.checksAt = next
    // Waking too early and sleeping on costs less than a new timer for each state. Ages by the date
    // also differ a little each time.
    let planned = state.wakesAt
    if let next, let planned, planned.subtracting(next) < .milliseconds(1) { return }
    guard next != nil || planned != nil else { return }
    Self.cancel(state.waking, &followups)
    state.wakesAt = next
    state.waking = next.map { waking(at: $0) }
  }

  private func waking(at moment: Duration) -> Task<Void, Never> {
    WriteScope.apart {
      Task { [weak self, time] in
        guard (try? await time.source.sleepUntil(moment)) != nil, !Task.isCancelled else { return }
        self?.wake(moment)
      }
    }
  }

  private func wake(_ moment: Duration) {
    change { state, now in
      // Another check may have been planned before this one was canceled.
      if state.wakesAt == moment { state.wakesAt = nil }
      guard Self.isCheckDue(state, at: now) else { return carryOut([], nil, &state, at: now) }
      state.checksAt = nil
      notePresence(in: &state, at: now)
      return carryOut(state.machine.handle(.checked, at: now), nil, &state, at: now)
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

  /// Begins work; inside the work that waits for it, if there is any.
  init(
    _ work: CacheWork, inside outer: WriteScope?,
    _ body: @escaping @Sendable (WriteScope) async -> Void
  ) {
    let scope = WriteScope(work, inside: outer)
    self.scope = scope
    task = WriteScope.$current.withValue(scope) { Task { await body(scope) } }
  }
}
