/// The one place where a tag's state is kept, for all repositories that are set to it.
///
/// It lives as long as one of them; what it began ends with it.
final class CacheEntry<Source: CacheDataSource>: CacheRegistry.Entry {
  typealias Machine = CacheMachine<Source.Cache>
  typealias Client = CacheClient<Source>
  typealias Buffer = CacheSubscribers<Source>.Buffer

  struct State {
    var machine = Machine()
    var attachments: [UInt64: CacheSubscribers<Source>] = [:]
    var waiters: [UInt64: Waiter] = [:]
    var pageWaiters: [UInt64: PageWaiter] = [:]
    var fetching: CacheWorker?
    var reading: Task<Void, Never>?
    /// What others do to what the ledger remembers, while somebody observes.
    var others: Evocation.Observation?
    /// Has what is observed tell of a version, once it has told of all that came before it.
    var reach: (@Sendable (UInt64) -> Void)?
    var waking: Task<Void, Never>?
    var wakesAt: Duration?
    /// When time alone changes something next; the entry may wake earlier, and sleeps on then.
    var checksAt: Duration?
    var lastNumber: UInt64 = 0
  }

  struct Waiter {
    let repository: UInt64
    let result: Promise<RefreshResult>
  }

  /// Who waits for a page, by the number of its load.
  struct PageWaiter {
    let load: CacheWorker
    var callers: [PageCaller] = []
  }

  /// One who waits for a page through a repository.
  final class PageCaller: Sendable {
    let repository: UInt64
    let result = Promise<PageResult>()

    init(repository: UInt64) {
      self.repository = repository
    }
  }

  /// What is to be done when the lock is open again: callers told, readers woken, tasks cancelled.
  ///
  /// All of it may run an app's own code on the spot, which may come back to the entry.
  typealias Answer = () -> Void

  let tag: String
  let scope: CacheRegistry
  let time: CacheTime
  /// Saves, updates and clearings, one at a time.
  let line: WriteSerializer
  let fetchWork: CacheWork
  let nextPageWork: CacheWork
  let previousPageWork: CacheWork
  let state = Lock(State())
  var sourceName: String { "\(Source.self)" }

  init(_ tag: String, _ scope: CacheRegistry, _ time: CacheTime) {
    self.tag = tag
    self.scope = scope
    self.time = time
    line = WriteSerializer("the cache of \(Source.Cache.self)")
    fetchWork = CacheWork(line)
    nextPageWork = CacheWork(line)
    previousPageWork = CacheWork(line)
  }

  deinit {
    let tasks = state.withLock { state in
      [state.fetching?.task, state.reading, state.waking]
        + state.pageWaiters.values.map(\.load.task)
    }
    for task in tasks { task?.cancel() }
    scope.forget(tag, ObjectIdentifier(self))
  }

  /// Lets an event happen, for the repository that brought it about if it was one.
  func handle(_ event: Machine.Event, for client: Client? = nil) {
    change { state, now in
      carryOut(state.machine.handle(event, at: now), client, &state, at: now)
    }
  }

  /// Lets something happen to the state, and then does what follows from it outside the lock.
  func change(_ body: (inout State, CacheMoment) -> [Answer]) {
    let now = time.now
    let (answers, old, isSetBack) = state.withLock { state in
      // It is let go of after the lock, because that may end an app's own objects.
      let old = state.machine.snapshot()
      let isSetBack = state.machine.stored.isDateSetBack(at: now)
      if isSetBack { _ = state.machine.handle(.dateSetBack, at: now) }
      return (body(&state, now), old, isSetBack)
    }
    for answer in answers { answer() }
    if isSetBack { scope.note(time) }
    withExtendedLifetime(old) {}
  }

  /// Carries out what follows from an event, apart from what is done when the lock is open again.
  func carryOut(
    _ effects: [Machine.Effect], _ client: Client?, _ state: inout State, at now: CacheMoment
  ) -> [Answer] {
    var answers: [Answer] = []
    for effect in effects {
      switch effect {
      case .publish(let snapshot):
        for number in Array(state.attachments.keys) {
          state.attachments[number]?.show(snapshot, at: now, tag: tag, &answers)
        }
      case .fetch(let number):
        state.fetching = Self.fetcher(client, state).map { fetching(number, $0) }
      case .cancelFetch:
        Self.end(state.fetching, &answers)
        state.fetching = nil
      case .read(let number):
        Self.cancel(state.reading, &answers)
        Self.letGo(&state.reach, &answers)
        let observing = state.attachments.values.first { !$0.buffers.isEmpty }?.client
        state.reading = (observing ?? client).map { reading(number, $0) }
      case .stopReading:
        Self.cancel(state.reading, &answers)
        Self.letGo(&state.reach, &answers)
        state.reading = nil
      case .answer(let waiters, let result):
        let found = waiters.compactMap { state.waiters.removeValue(forKey: $0) }
        answers.append { for waiter in found { waiter.result.fulfil(result) } }
      case .answerPage(let number, let result):
        guard let waiter = state.pageWaiters.removeValue(forKey: number) else { continue }
        Self.end(waiter.load, &answers)
        answers.append { for caller in waiter.callers { caller.result.fulfil(result) } }
      }
    }
    planWaking(&state, at: now, &answers)
    return answers
  }

  /// Lets something go when the lock is open again, because that may end an app's own objects.
  private static func letGo<Value>(_ value: inout Value?, _ answers: inout [Answer]) {
    guard let old = value else { return }
    value = nil
    answers.append { withExtendedLifetime(old) {} }
  }

  private static func cancel(_ task: Task<Void, Never>?, _ answers: inout [Answer]) {
    if let task { answers.append { task.cancel() } }
  }

  private static func end(_ worker: CacheWorker?, _ answers: inout [Answer]) {
    worker?.scope.close()
    cancel(worker?.task, &answers)
  }

  /// Who fetches: who asked for it, or else one who wants it, if it can.
  private static func fetcher(_ client: Client?, _ state: State) -> Client? {
    if let client, client.policy.canFetch { return client }
    let able = state.attachments.values.filter(\.client.policy.canFetch)
    return (able.first { !$0.buffers.isEmpty && $0.client.policy.isAutomatic } ?? able.first)?
      .client
  }

  /// Sees to it that the machine is told when time alone changes something.
  private func planWaking(_ state: inout State, at now: CacheMoment, _ answers: inout [Answer]) {
    let next = state.machine.timeToNextCheck(at: now).map {
      now.time.adding(max($0, .milliseconds(1)))
    }
    state.checksAt = next
    // To wake too early and sleep on costs less than a new timer at each state; and an age that is
    // counted by the date differs a little each time.
    let planned = state.wakesAt
    if let next, let planned, planned.subtracting(next) < .milliseconds(1) { return }
    guard next != nil || planned != nil else { return }
    Self.cancel(state.waking, &answers)
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
      // Another may have been planned meanwhile, and this one not be cancelled yet.
      if state.wakesAt == moment { state.wakesAt = nil }
      let isTooEarly = state.checksAt.map { $0.subtracting(now.time) >= .milliseconds(1) } ?? false
      let effects = isTooEarly ? [] : state.machine.handle(.checked, at: now)
      return carryOut(effects, nil, &state, at: now)
    }
  }
}
