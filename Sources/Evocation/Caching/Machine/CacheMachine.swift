import Foundation

/// The state of one tag, as a value that decides what follows from each event.
///
/// It has no task, clock or lock. ``handle(_:at:)`` returns what must be done after an event.
struct CacheMachine<Content: Sendable>: Sendable {
  typealias Body = CacheBody<Content>

  /// The events of a cache.
  ///
  /// Loads are named by the position of their data: `replacing` is the fetch of all data, the others
  /// are one more page.
  enum Event: Sendable {
    /// The ledger's record was read.
    case loaded(FetchRecord?)
    /// The ledger's record was read again, because others may have changed it.
    case recalled(FetchRecord?)
    /// The ledger could not be read.
    case loadFailed(CacheFailure)
    /// The cache was used at this date.
    case used(Date)
    /// Observers were added through a repository with this policy.
    case observed(by: UInt64, CachePolicy, count: Int)
    /// A repository now has another policy.
    case policyChanged(UInt64, CachePolicy)
    /// Observers of a repository have left.
    case unobserved(by: UInt64, count: Int)
    /// The cache was read without an observation; the record is the one from before the read.
    case readAtOnce(Body, of: FetchRecord?)
    /// The observation has a value, and the version of the store with that value where it is known.
    case read(UInt64, Body, version: UInt64? = nil)
    /// The last value of the observation is also the value of this version of the store.
    case unchanged(UInt64, version: UInt64)
    /// The observation failed.
    case readingFailed(UInt64, CacheFailure)
    /// The observation ended without an error; its last value stays.
    case readingEnded(UInt64)
    /// Time has passed, or something has ended: the freshness may have changed, or a fetch may be
    /// needed.
    case checked
    /// Whether the app is inactive or offline for every repository that polls.
    case away(Bool)
    /// Since when all changes of the service arrive automatically; nil if they do not.
    case live(LiveStatus.Since?)
    /// A caller asks for a refresh; it gets a result immediately, or when the fetch ends.
    case asked(by: UInt64, FetchCondition, CachePolicy)
    /// A caller asks for one more page.
    case pageAsked(by: UInt64, PagePosition, PageCondition)
    /// Observers ask for a fetch at any age; it begins once the content is shown.
    case forced(CachePolicy)
    /// Callers have left; a load ends when it is no longer needed.
    case left([UInt64])
    /// Saving begins, as ``saving(_:_:)`` allows.
    case savingBegan(PagePosition, UInt64)
    /// Fetched data are not saved; they are fetched again if the cache was declared stale since.
    case dropped(UInt64)
    /// Another service is asked from now on.
    case replaced
    /// Fetched data were lost before they were saved, and are fetched again.
    case outdated(UInt64)
    /// Fetched data are saved and recorded; nil where a page's load ended without a page.
    case saved(PagePosition, UInt64, CacheSave?)
    /// A page was empty and another one follows: the list's position has moved on.
    case passedOver(PagePosition, UInt64, FetchRecord)
    /// The fetch or the save failed, after what the trace says.
    case failed(PagePosition, UInt64, CacheFailure, Evocation.Trace? = nil)
    /// The app begins to write the cache; values that are observed during the write are shown after
    /// it.
    case writingBegan
    /// The app's write failed; the present value is shown.
    case writingFailed
    /// Content that the app passed to an update is saved and recorded.
    case updated(CacheSave)
    /// The cache was cleared; `isKept` says whether the source still has the data, and `refreshes`
    /// whether observers get it fetched again.
    case cleared(isKept: Bool, refreshes: Bool = false)
    /// The cache was replaced from outside; the machine keeps its observers and forgets the rest.
    case restarted
    /// The cache was declared stale, and the ledger has this record of it now; nil for none.
    case invalidated(FetchRecord?)
  }

  /// What must be done after an event.
  enum Effect: Sendable {
    /// Show this snapshot to the observers.
    case publish(CacheSnapshot<Content>)
    /// Load, with the client that asked.
    case load(PagePosition, UInt64)
    /// End the load, because it is no longer needed.
    case cancel(PagePosition)
    /// Observe the cache, in place of the last observation.
    case read(UInt64)
    /// End the observation.
    case stopReading
    /// Return this result to the callers.
    case answer([UInt64], CacheLoad.End)
  }

  var stored = CacheStored.unknown
  var reading = CacheReading<Content>()
  var loads = CacheLoads()
  var polling = CachePolling()
  var live = CacheLive()
  /// Whether the app is writing the cache.
  var isWriting = false
  /// What the last fetch, of all data or a page, tried; nil if that was not in this process.
  var trace: Evocation.Trace?
  var observers = CacheObservers()
  private var lastNumber: UInt64 = 0

  /// The fetch of all data.
  var refresh: CacheLoad {
    get { loads[.replacing] }
    set { loads[.replacing] = newValue }
  }

  /// Takes an event, and returns what must be done.
  ///
  /// A state that is published before a fetch begins announces the fetch, so that no observer sees
  /// an empty cache in between.
  mutating func handle(_ event: Event, at now: CacheMoment) -> [Effect] {
    var effects = effects(of: event, at: now)
    let fetch = effects.lastIndex { $0.isFetch } ?? 0
    for index in 0..<fetch {
      guard case .publish(var shown) = effects[index] else { continue }
      shown.isAwaited = true
      effects[index] = .publish(shown)
    }
    return effects
  }

  private mutating func effects(of event: Event, at now: CacheMoment) -> [Effect] {
    switch event {
    case .loaded(let record): loaded(CacheStored(record, at: now), at: now)
    case .recalled(let record): recalled(record, at: now)
    case .loadFailed(let failure): loaded(.unreadable(failure), at: now)
    case .used(let date): changeRecord { $0.usedAt = date }
    case .observed(let repository, let policy, let count):
      observed(by: repository, policy, count: count, at: now)
    case .policyChanged(let repository, let policy): policyChanged(repository, policy, at: now)
    case .unobserved(let repository, let count): unobserved(by: repository, count: count)
    case .readAtOnce(let body, let record): readAtOnce(body, of: record)
    case .read(let number, let body, let version): read(number, body, version: version, at: now)
    case .unchanged(let number, let version): unchanged(number, version: version, at: now)
    case .readingFailed(let number, let failure): readingFailed(number, failure, at: now)
    case .readingEnded(let number): readingEnded(number, at: now)
    case .checked: checked(at: now)
    case .away(let isAway): away(isAway)
    case .live(let since): live(since, at: now)
    case .asked(let waiter, let condition, let policy):
      asked(by: waiter, condition, policy: policy, at: now)
    case .pageAsked(let waiter, let position, let condition):
      asked(by: waiter, position, condition: condition)
    case .forced(let policy): forced(policy)
    case .left(let waiters): left(waiters)
    case .savingBegan(let position, let number): savingBegan(position, number)
    case .dropped(let number): dropped(number)
    case .replaced: replaced(at: now)
    case .outdated(let number): outdated(number)
    case .saved(let position, let number, let save): saved(position, number, save: save, at: now)
    case .passedOver(let position, let number, let record):
      passedOver(position, number, record: record)
    case .failed(let position, let number, let failure, let trace):
      failed(position, number, failure: failure, trace: trace, at: now)
    case .writingBegan: writing(true)
    case .writingFailed: writing(false) + [publish()]
    case .updated(let save): updated(save, at: now)
    case .cleared(let isKept, let isWanted): cleared(isKept: isKept, refreshes: isWanted, at: now)
    case .restarted: restarted()
    case .invalidated(let record): invalidated(record, at: now)
    }
  }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  var isObserved: Bool { !observers.isEmpty }

  /// Returns the present snapshot; only one snapshot has the end of a fetch.
  package func snapshot(_ finish: CacheLoad.Finish? = nil) -> CacheSnapshot<Content> {
    CacheSnapshot(
      stored: stored, live: live, body: reading.body, isHeldBack: reading.isWaitingForOwnSave,
      isSettled: reading.isSettled, isBehind: reading.isBehind,
      isUnreadable: reading.isUnreadable, finish: finish,
      failure: refresh.failure ?? reading.failure ?? stored.failure, loads: loads, trace: trace)
  }

  func publish(_ finish: CacheLoad.Finish? = nil) -> Effect { .publish(snapshot(finish)) }

  /// Changes the record of the last fetch in a way that states do not show.
  private mutating func changeRecord(_ change: (inout FetchRecord) -> Void) -> [Effect] {
    stored.change(change)
    return []
  }
}

extension CacheMachine.Effect {
  /// Whether a fetch of all data begins.
  var isFetch: Bool {
    if case .load(.replacing, _) = self { true } else { false }
  }
}

/// What a save recorded.
struct CacheSave: Sendable {
  /// The record, as the ledger has it now.
  var record: FetchRecord
  /// The version of the store from which on it has the data; nil where that is unknown.
  var version: UInt64?
  /// When the fetch began, from which on the data grow old; nil for content of the app.
  var begunAt: Duration?
  /// What the fetch tried; nil for content of the app.
  var trace: Evocation.Trace?
  /// Whether the app has said when its content was fetched, which may be stale already.
  var isDatedByApp = false
}
