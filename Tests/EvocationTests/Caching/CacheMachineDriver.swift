import Foundation

@testable import Evocation

/// Plays what is around a machine: carries its effects out on paper, and notes what is wrong.
struct CacheMachineDriver {
  typealias Machine = CacheMachine<[String]>

  /// What can happen to a machine.
  enum Event: String, CaseIterable {
    case loadNothing, loadRecord, loadStale, loadFailed
    case observe, observeAnother, unobserve, unobserveAnother
    case askAlways, askWhenStale, askWhenMissing, askWhenInvalid, force, leave, leaveAll
    case beginSaving, saved, fetchFailed, outdated, savedLate, failedLate
    case readAtOnce, read, readEmpty, readingFailed, readingEnded, readLate
    case reseat, beginWriting, writingFailed, update, clear, restart, invalidate, second, minute
  }

  private(set) var machine = Machine()
  private(set) var faults: [String] = []
  private let policy: CachePolicy
  private var now = CacheMoment(date: Date(timeIntervalSinceReferenceDate: 0), time: .zero)
  private var waiting: Set<UInt64> = []
  private var lastWaiter: UInt64 = 0
  private var running: UInt64?
  private var reading: UInt64?

  init(_ policy: CachePolicy = CachePolicy(), isObserved: Bool = false) {
    self.policy = policy
    if isObserved { apply(.observe) }
  }

  private var record: FetchRecord { FetchRecord(fetchedAt: now.date) }

  mutating func apply(_ event: Event) {
    carryOut(effects(of: event), of: event)
    check(event.rawValue)
  }

  /// Lets everything that runs come to its end.
  mutating func finish() {
    apply(.loadNothing)
    for _ in 0..<20 {
      switch machine.fetch?.phase {
      case .fetching: apply(.beginSaving)
      case .saving: apply(.saved)
      case .showing: apply(.read)
      case nil: break
      }
    }
    if machine.fetch != nil { faults.append("it refreshes for ever") }
    if !waiting.isEmpty { faults.append("\(waiting.count) callers were never answered") }
  }

  private mutating func effects(of event: Event) -> [Machine.Effect] {
    switch event {
    case .loadNothing: machine.loaded(nil, nil, at: now)
    case .loadRecord: machine.loaded(record, nil, at: now)
    case .loadStale: machine.loaded(FetchRecord(fetchedAt: now.date - 100), nil, at: now)
    case .loadFailed: machine.loaded(nil, Trouble.ledger, at: now)
    case .observe: machine.observed(by: 1, policy, count: 1, at: now)
    case .observeAnother:
      machine.observed(by: 2, CachePolicy(isAutomatic: false), count: 2, at: now)
    case .unobserve: machine.unobserved(by: 1, count: 1)
    case .unobserveAnother: machine.unobserved(by: 2, count: 2)
    case .reseat: machine.reseated(1, CachePolicy(maxAge: .seconds(30)), at: now)
    case .readAtOnce: readAtOnce()
    case .beginWriting: beginWriting()
    case .writingFailed: machine.writingFailed()
    case .second: pass(1)
    case .minute: pass(61)
    case .update: machine.updated(record, at: now)
    case .clear: machine.cleared(at: now)
    case .restart: machine.restarted()
    case .invalidate: machine.invalidated(at: now)
    default: fetchEffects(of: event) ?? readEffects(of: event)
    }
  }

  private mutating func fetchEffects(of event: Event) -> [Machine.Effect]? {
    switch event {
    case .askAlways: return ask(.always)
    case .askWhenStale: return ask(.whenStale)
    case .askWhenMissing: return ask(.whenMissing)
    case .askWhenInvalid: return ask(.whenInvalid)
    case .force: return machine.askedToForce(policy)
    case .leave: return leave(Array(waiting.sorted().prefix(1)))
    case .leaveAll: return leave(Array(waiting))
    case .beginSaving:
      // Whoever fetches asks once.
      let isSaving = machine.fetch?.phase == .saving && machine.fetch?.number == running
      guard let running, !isSaving, machine.beginSaving(running) == nil else { return [] }
      self.running = nil
      return machine.dropped(running)
    case .saved: return running.map { end($0) { $0.saved($1, $2, at: $3) } } ?? []
    case .fetchFailed:
      return running.map { end($0) { m, n, _, _ in m.failed(n, Trouble.fetching) } } ?? []
    case .outdated: return running.map { end($0) { m, n, _, _ in m.outdated(n) } } ?? []
    case .savedLate: return machine.saved(0, record, at: now)
    case .failedLate: return machine.failed(0, Trouble.fetching)
    default: return nil
    }
  }

  private mutating func readEffects(of event: Event) -> [Machine.Effect] {
    guard let reading else { return [] }
    switch event {
    case .read: return machine.read(reading, .value(["\(now.time)"]), at: now)
    case .readEmpty: return machine.read(reading, .empty, at: now)
    case .readingFailed: return machine.readingFailed(reading, Trouble.observing, at: now)
    case .readingEnded: return machine.readingEnded(reading, at: now)
    case .readLate: return machine.read(0, .value(["late"]), at: now)
    default: return []
    }
  }

  private mutating func readAtOnce() -> [Machine.Effect] {
    machine.readAtOnce(.value(["at once"]), of: machine.record)
    return []
  }

  private mutating func beginWriting() -> [Machine.Effect] {
    machine.isWriting = true
    return []
  }

  private mutating func pass(_ seconds: Double) -> [Machine.Effect] {
    now.date += seconds
    now.time += .seconds(seconds)
    return machine.timePassed(at: now)
  }

  private mutating func ask(_ wish: Machine.Wish) -> [Machine.Effect] {
    lastWaiter += 1
    waiting.insert(lastWaiter)
    return machine.asked(by: lastWaiter, wish, policy, at: now)
  }

  private mutating func leave(_ waiters: [UInt64]) -> [Machine.Effect] {
    waiting.subtract(waiters)
    return machine.left(waiters)
  }

  private mutating func end(
    _ number: UInt64,
    _ event: (inout Machine, UInt64, FetchRecord, CacheMoment) -> [Machine.Effect]
  ) -> [Machine.Effect] {
    running = nil
    var record = record
    record.isInvalidated = machine.fetch?.isOutdated ?? false
    return event(&machine, number, record, now)
  }

  private mutating func carryOut(_ effects: [Machine.Effect], of event: Event) {
    for effect in effects {
      switch effect {
      case .publish(let machine): check(machine.state(policy, at: now, tag: "t"), event.rawValue)
      case .fetch(let number): running = number
      case .cancelFetch: running = nil
      case .read(let number): reading = number
      case .stopReading: reading = nil
      case .answerPage: break
      case .answer(let waiters, _):
        for waiter in waiters where waiting.remove(waiter) == nil {
          faults.append("\(event): a caller was answered who did not wait")
        }
      }
    }
  }

  private mutating func check(_ state: CacheState<[String]>, _ event: String) {
    if state.isFirstFetch, !state.isRefreshing {
      faults.append("\(event): a first fetch that is none")
    }
    if state.isRefreshing, state.justFinishedSuccessfulRefresh || state.justFinishedFirstFetch {
      faults.append("\(event): it just finished and goes on")
    }
    if state.justFinishedSuccessfulFirstFetch
      != (state.justFinishedFirstFetch && state.justFinishedSuccessfulRefresh)
    {
      faults.append("\(event): a first success that is none")
    }
  }

  private mutating func check(_ event: String) {
    if !waiting.isSubset(of: machine.fetch?.waiters ?? []) {
      faults.append("\(event): a caller is lost")
    }
    if machine.reading != reading { faults.append("\(event): another observation is awaited") }
    switch machine.fetch?.phase {
    case .fetching, .saving:
      if machine.fetch?.number != running { faults.append("\(event): nobody fetches") }
    case .showing:
      if reading == nil { faults.append("\(event): nobody reads what was saved") }
      if machine.timeToNextEvent(at: now) == nil {
        faults.append("\(event): what was saved may be waited for for ever")
      }
    case nil: break
    }
  }
}
