import Evocation
import Foundation

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationStores
@testable import EvocationValues

/// Plays what is around a machine: carries its effects out on paper, and notes what is wrong.
struct CacheMachineDriver {
  typealias Machine = CacheMachine<[String]>

  /// What can happen to a machine.
  enum Event: String, CaseIterable {
    case loadNothing, loadRecord, loadStale, loadFailed
    case observe, observeAnother, unobserve, unobserveAnother
    case askAlways, askWhenStale, askWhenMissing, askWhenInvalid, force, leave, leaveAll
    case beginSaving, saved, fetchFailed, outdated, savedLate, failedLate
    case savedAsVersion, readOldVersion, readVersion, unchangedVersion
    case readAtOnce, read, readEmpty, readingFailed, readingEnded, readLate
    case leavePlace, comeBack
    case changePolicy, beginWriting, writingFailed, update, clear, restart, invalidate, second,
      minute
  }

  private(set) var machine = Machine()
  private(set) var faults: [String] = []
  private let policy: CachePolicy
  private var now = CacheMoment(date: Date(timeIntervalSinceReferenceDate: 0), time: .zero)
  private var waiting: Set<UInt64> = []
  private var lastWaiter: UInt64 = 0
  private var running: UInt64?
  private var reading: UInt64?
  /// The version of the last save.
  private var version: UInt64 = 1

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
      switch machine.refresh.run?.phase {
      case .fetching: apply(.beginSaving)
      case .saving: apply(.saved)
      case .showing: apply(.read)
      case nil: break
      }
    }
    if machine.refresh.run != nil { faults.append("it refreshes for ever") }
    if !waiting.isEmpty { faults.append("\(waiting.count) callers were never answered") }
  }

  private mutating func effects(of event: Event) -> [Machine.Effect] {
    switch event {
    case .loadNothing: handle(.loaded(nil))
    case .loadRecord: handle(.loaded(record))
    case .loadStale: handle(.loaded(FetchRecord(fetchedAt: now.date - 100)))
    case .loadFailed: handle(.loadFailed(CacheFailure(Trouble.ledger)))
    case .observe: handle(.observed(by: 1, policy, count: 1))
    case .observeAnother: handle(.observed(by: 2, CachePolicy(isAutomatic: false), count: 2))
    case .unobserve: handle(.unobserved(by: 1, count: 1))
    case .unobserveAnother: handle(.unobserved(by: 2, count: 2))
    case .changePolicy: handle(.policyChanged(1, CachePolicy(maxAge: .seconds(30))))
    case .readAtOnce: handle(.readAtOnce(value("at once"), of: machine.stored.record))
    case .beginWriting: handle(.writingBegan)
    case .writingFailed: handle(.writingFailed)
    case .leavePlace: handle(.away(true))
    case .comeBack: handle(.away(false)) + handle(.checked)
    case .second: pass(1)
    case .minute: pass(61)
    case .update: handle(.updated(CacheSave(record: record)))
    case .clear: handle(.cleared(isKept: false))
    case .restart: handle(.restarted)
    case .invalidate: handle(.invalidated(nil))
    default: fetchEffects(of: event) ?? readEffects(of: event)
    }
  }

  private mutating func fetchEffects(of event: Event) -> [Machine.Effect]? {
    switch event {
    case .askAlways: return ask(.always)
    case .askWhenStale: return ask(.whenStale)
    case .askWhenMissing: return ask(.whenMissing)
    case .askWhenInvalid: return ask(.whenInvalid)
    case .force: return handle(.forced(policy))
    case .leave: return leave(Array(waiting.sorted().prefix(1)))
    case .leaveAll: return leave(Array(waiting))
    case .beginSaving:
      // Whoever fetches asks once.
      guard let running, !isSaving else { return [] }
      if machine.saving(.replacing, running) != nil {
        return handle(.savingBegan(.replacing, running))
      }
      self.running = nil
      return handle(.dropped(running))
    case .saved: return end { .saved(.replacing, $0, CacheSave(record: $1)) }
    case .savedAsVersion:
      if running != nil { version += 1 }
      return end { [version] in
        .saved(.replacing, $0, CacheSave(record: $1, version: version))
      }
    case .fetchFailed: return end { [failure] number, _ in .failed(.replacing, number, failure) }
    case .outdated: return end { number, _ in .outdated(number) }
    case .savedLate: return handle(.saved(.replacing, 0, CacheSave(record: record)))
    case .failedLate: return handle(.failed(.replacing, 0, failure))
    default: return nil
    }
  }

  private mutating func readEffects(of event: Event) -> [Machine.Effect] {
    guard let reading else { return [] }
    switch event {
    case .read: return handle(.read(reading, value("\(now.time)")))
    case .readEmpty: return handle(.read(reading, .empty))
    case .readOldVersion:
      return handle(.read(reading, value("old"), version: version - 1))
    case .readVersion: return handle(.read(reading, value("\(version)"), version: version))
    case .unchangedVersion: return handle(.unchanged(reading, version: version))
    case .readingFailed:
      return handle(.readingFailed(reading, CacheFailure(Trouble.observing)))
    case .readingEnded: return handle(.readingEnded(reading))
    case .readLate: return handle(.read(0, value("late")))
    default: return []
    }
  }

  private mutating func handle(_ event: Machine.Event) -> [Machine.Effect] {
    machine.handle(event, at: now)
  }

  private func value(_ text: String) -> Machine.Body { .value(CacheContent([text])) }

  private var failure: CacheFailure { CacheFailure(Trouble.fetching) }

  private var isSaving: Bool {
    guard case .saving = machine.refresh.run?.phase else { return false }
    return machine.refresh.run?.number == running
  }

  private mutating func pass(_ seconds: Double) -> [Machine.Effect] {
    now.date += seconds
    now.time += .seconds(seconds)
    return handle(.checked)
  }

  private mutating func ask(_ condition: Machine.FetchCondition) -> [Machine.Effect] {
    lastWaiter += 1
    waiting.insert(lastWaiter)
    return handle(.asked(by: lastWaiter, condition, policy))
  }

  private mutating func leave(_ waiters: [UInt64]) -> [Machine.Effect] {
    waiting.subtract(waiters)
    return handle(.left(waiters))
  }

  /// Ends what is fetched, or saved as it was allowed to be.
  private mutating func end(
    _ event: (UInt64, FetchRecord) -> Machine.Event
  ) -> [Machine.Effect] {
    guard let number = running else { return [] }
    running = nil
    var record = record
    switch machine.refresh.run?.phase {
    case .fetching(isOutdated: true), .saving(.stale): record.isInvalidated = true
    case .fetching, .saving, .showing, nil: break
    }
    return handle(event(number, record))
  }

  private mutating func carryOut(_ effects: [Machine.Effect], of event: Event) {
    let fetch = effects.lastIndex { $0.isFetch } ?? 0
    for case .publish(let shown) in effects[..<fetch] {
      let state = shown.state(policy, at: now, tag: "t")
      if case (.noCache, .completed) = (state.state, state.loadingState) {
        faults.append("\(event): it says that there is nothing, and fetches it")
      }
    }
    for effect in effects {
      switch effect {
      case .publish(let shown): check(shown.state(policy, at: now, tag: "t"), event.rawValue)
      case .load(.replacing, let number): running = number
      case .cancel(.replacing): running = nil
      case .load, .cancel: break
      case .read(let number): reading = number
      case .stopReading: reading = nil
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
    if !waiting.isSubset(of: machine.refresh.run?.waiters ?? []) {
      faults.append("\(event): a caller is lost")
    }
    if machine.reading.observation?.number != reading {
      faults.append("\(event): another observation is awaited")
    }
    switch machine.refresh.run?.phase {
    case .fetching, .saving:
      if machine.refresh.run?.number != running { faults.append("\(event): nobody fetches") }
    case .showing:
      if reading == nil { faults.append("\(event): nobody reads what was saved") }
      if machine.timeToNextCheck(at: now) == nil {
        faults.append("\(event): what was saved may be waited for for ever")
      }
    case nil: break
    }
  }
}
