/// The one place where a tag's state is kept, for all repositories that are set to it.
///
/// It lives as long as one of them; what it began ends with it.
final class CacheCell<Source: CacheDataSource>: CacheScope.Cell {
  typealias Machine = CacheMachine<Source.Cache>
  typealias Seat = CacheSeat<Source>
  typealias Letters = CacheAttachment<Source>.Letters

  struct State {
    var machine = Machine()
    var attachments: [UInt64: CacheAttachment<Source>] = [:]
    var waiters: [UInt64: Waiter] = [:]
    var pageWaiters: [UInt64: PageWaiter] = [:]
    var fetching: Task<Void, Never>?
    var reading: Task<Void, Never>?
    var waking: Task<Void, Never>?
    var wakesAt: Duration?
    var lastNumber: UInt64 = 0
  }

  struct Waiter {
    let repository: UInt64
    let result: Promise<RefreshResult>
  }

  /// Who waits for a page, by the number of its load.
  struct PageWaiter {
    let repository: UInt64
    let result: Promise<PageResult>
    let load: Task<Void, Never>
  }

  /// Whoever is to be told something when the lock is open again.
  typealias Answer = () -> Void

  let tag: String
  let scope: CacheScope
  let time: CacheTime
  /// Saves, updates and clearings, one at a time.
  let line = WriteLine()
  let state = Lock(State())
  /// What is known of the age, beside the state, because to reach into what generic types hold costs
  /// more than to read a cache from memory.
  let age = Lock(CacheAge())
  var sourceName: String { "\(Source.self)" }

  init(_ tag: String, _ scope: CacheScope, _ time: CacheTime) {
    self.tag = tag
    self.scope = scope
    self.time = time
  }

  deinit {
    state.withLock { state in
      for task in [state.fetching, state.reading, state.waking] { task?.cancel() }
      for waiter in state.pageWaiters.values { waiter.load.cancel() }
    }
    scope.forget(tag, ObjectIdentifier(self))
  }

  /// Lets an event happen, for the repository that brought it about if it was one.
  func handle(_ seat: Seat? = nil, _ event: (inout Machine, CacheMoment) -> [Machine.Effect]) {
    let answers = state.withLock { state in
      let now = time.now
      let effects = event(&state.machine, now)
      return carryOut(effects, seat, &state, at: now)
    }
    for answer in answers { answer() }
  }

  /// Carries out what follows from an event, apart from telling the callers.
  func carryOut(
    _ effects: [Machine.Effect], _ seat: Seat?, _ state: inout State, at now: CacheMoment
  ) -> [Answer] {
    var answers: [Answer] = []
    for effect in effects {
      switch effect {
      case .publish(let machine):
        for number in Array(state.attachments.keys) {
          state.attachments[number]?.show(machine, at: now, tag: tag)
        }
      case .fetch(let number):
        state.fetching = Self.fetcher(seat, state).map { fetching(number, $0) }
      case .cancelFetch:
        state.fetching?.cancel()
        state.fetching = nil
      case .read(let number):
        state.reading?.cancel()
        let observing = state.attachments.values.first { !$0.mailboxes.isEmpty }?.seat
        state.reading = (observing ?? seat).map { reading(number, $0) }
      case .stopReading:
        state.reading?.cancel()
        state.reading = nil
      case .answer(let waiters, let result):
        let found = waiters.compactMap { state.waiters.removeValue(forKey: $0) }
        answers.append { for waiter in found { waiter.result.fulfil(result) } }
      case .answerPage(let number, let result):
        guard let waiter = state.pageWaiters.removeValue(forKey: number) else { continue }
        waiter.load.cancel()
        answers.append { waiter.result.fulfil(result) }
      }
    }
    let known = state.machine.known
    age.withLock { $0 = known }
    planWaking(&state, at: now)
    return answers
  }

  /// Who fetches: who asked for it, or else one who wants it, if it can.
  private static func fetcher(_ seat: Seat?, _ state: State) -> Seat? {
    if let seat, seat.policy.canFetch { return seat }
    let able = state.attachments.values.filter(\.seat.policy.canFetch)
    return (able.first { !$0.mailboxes.isEmpty && $0.seat.policy.isAutomatic } ?? able.first)?.seat
  }

  private func reading(_ number: UInt64, _ seat: Seat) -> Task<Void, Never> {
    Task { [weak self] in
      do {
        if let parts = seat.parts {
          for try await part in parts {
            guard let self, !Task.isCancelled else { return }
            let body = seat.body(part)
            self.handle { $0.read(number, body, at: $1) }
          }
        } else {
          for try await cache in seat.source.observeCache(seat.requirements) {
            guard let self, !Task.isCancelled else { return }
            let body = seat.body(cache)
            self.handle { $0.read(number, body, at: $1) }
          }
        }
        self?.handle { $0.readingEnded(number, at: $1) }
      } catch {
        self?.handle { $0.readingFailed(number, error, at: $1) }
      }
    }
  }

  /// Sees to it that the machine is told when time alone changes something.
  private func planWaking(_ state: inout State, at now: CacheMoment) {
    let next = state.machine.timeToNextEvent(at: now).map {
      now.time.adding(max($0, .milliseconds(1)))
    }
    // An age that is counted by the date differs a little each time.
    if let next, let planned = state.wakesAt, planned.subtracting(next) < .milliseconds(1),
      next.subtracting(planned) < .milliseconds(1)
    {
      return
    }
    guard next != nil || state.wakesAt != nil else { return }
    state.waking?.cancel()
    state.wakesAt = next
    state.waking = next.map { waking(at: $0) }
  }

  private func waking(at moment: Duration) -> Task<Void, Never> {
    Task { [weak self, time] in
      guard (try? await time.source.sleepUntil(moment)) != nil, !Task.isCancelled else { return }
      self?.state.withLock { $0.wakesAt = nil }
      self?.handle { $0.timePassed(at: $1) }
    }
  }
}
