import Foundation

/// What is known of one tag, and what follows from each event, as a value.
///
/// It knows no task, clock or lock. ``handle(_:at:)`` answers what is to be done after an event.
struct CacheMachine<Content: Sendable>: Sendable {
  typealias Body = CacheBody<Content>

  /// What can happen to a cache.
  enum Event: Sendable {
    /// What the ledger holds is known.
    case loaded(FetchRecord?)
    /// The ledger was asked again, because others may have changed what it holds.
    case recalled(FetchRecord?)
    /// The ledger could not be asked.
    case loadFailed(CacheFailure)
    /// The cache was used then.
    case used(Date)
    /// The device's date was set back since the cache was fetched.
    case dateSetBack
    /// Somebody with this policy observes too.
    case observed(by: UInt64, CachePolicy, count: Int)
    /// One that may observe has another policy now.
    case reseated(UInt64, CachePolicy)
    /// Somebody observes no longer.
    case unobserved(by: UInt64, count: Int)
    /// What is saved was read beside the observation, when this was remembered of it.
    case readAtOnce(Body, of: FetchRecord?)
    /// The observation gave a value, and the store's version that it shows where that is known.
    case read(UInt64, Body, version: UInt64? = nil)
    /// What the observation gave last is still what the store has in this version.
    case unchanged(UInt64, version: UInt64)
    /// The observation failed.
    case readingFailed(UInt64, CacheFailure)
    /// The observation ended by itself: what was read last is what there is.
    case readingEnded(UInt64)
    /// Time has passed, or something has ended: a window may be over, or a fetch be wanted.
    case checked
    /// A caller asks for a refresh; it is answered at once, or when the fetch ends.
    case asked(by: UInt64, Wish, CachePolicy)
    /// Those who observe ask for a fetch whatever the age; it begins once the content is shown.
    case forced(CachePolicy)
    /// Callers wait no longer; a fetch that nobody waits for ends.
    case left([UInt64])
    /// What was fetched begins to be saved, which ``saving(_:)`` allows.
    case savingBegan(UInt64)
    /// What was fetched is not saved: it is fetched once more if the cache was declared stale since.
    case dropped(UInt64)
    /// What was fetched is gone before it was saved, and is fetched once more.
    case outdated(UInt64)
    /// What was fetched is saved and stamped, and is in the store from this version on.
    case saved(UInt64, FetchRecord, version: UInt64? = nil)
    /// The fetch or the save failed.
    case fetchFailed(UInt64, CacheFailure)
    /// The app begins to write the cache; what is observed meanwhile is shown when that has ended.
    case writingBegan
    /// The app's write failed: what is there is shown.
    case writingFailed
    /// The app put something into the cache, and it is saved and stamped.
    case updated(FetchRecord, version: UInt64? = nil)
    /// The cache was cleared; whether the source still has what was in it.
    case cleared(isKept: Bool)
    /// The cache was put into a state from outside: only who observes is known as before.
    case restarted
    /// The cache was declared stale.
    case invalidated
    /// A caller asks for a page, for which ``pageAnswer(_:continueWhenError:isInsideLoad:)`` waits.
    case pageAsked(PageDirection)
    /// A page begins to be saved, which ``canSavePage(_:_:)`` allows.
    case pageSavingBegan(PageDirection, UInt64)
    /// A page was empty, with more to come: the position has moved on.
    case pagePassedOver(PageDirection, UInt64, FetchRecord)
    /// A page is saved, and is to be shown with the list; without a record where none was saved.
    case pageSaved(PageDirection, UInt64, FetchRecord?, version: UInt64? = nil)
    /// A page failed: the list and its position are as they were.
    case pageFailed(PageDirection, UInt64, CacheFailure)
    /// Nobody waits for a page any longer; one that is being saved is saved all the same.
    case pageLeft(UInt64)
  }

  /// What is to be done after an event.
  enum Effect: Sendable {
    /// Show everybody the state as it was at this point.
    case publish(CacheSnapshot<Content>)
    /// Fetch, for whoever asked last.
    case fetch(UInt64)
    /// End a fetch that nobody waits for.
    case cancelFetch
    /// Observe what is saved, in place of what was observed.
    case read(UInt64)
    /// Observe no longer.
    case stopReading
    /// Tell the callers.
    case answer([UInt64], RefreshResult)
    /// Tell who waits for a page, and end its load if that runs.
    case answerPage(UInt64, PageResult)
  }

  var stored = CacheStored.unknown
  var reading = CacheReading<Content>()
  var refresh = CacheRefresh.idle(nil)
  var pages = PageLoads()
  /// Whether the app is writing the cache.
  var isWriting = false
  /// Who observes, by the numbers of their repositories.
  var observers: [UInt64: (policy: CachePolicy, count: Int)] = [:]
  private var lastNumber: UInt64 = 0

  /// Lets an event happen.
  mutating func handle(_ event: Event, at now: CacheMoment) -> [Effect] {
    switch event {
    case .loaded(let record): loaded(CacheStored(record, at: now), at: now)
    case .recalled(let record): recalled(record, at: now)
    case .loadFailed(let failure): loaded(.unreadable(failure), at: now)
    case .used(let date): note { $0.usedAt = date }
    case .dateSetBack: note { $0.isUndated = true }
    case .observed(let repository, let policy, let count):
      observed(by: repository, policy, count: count, at: now)
    case .reseated(let repository, let policy): reseated(repository, policy, at: now)
    case .unobserved(let repository, let count): unobserved(by: repository, count: count)
    case .readAtOnce(let body, let record): readAtOnce(body, of: record)
    case .read(let number, let body, let version): read(number, body, version: version, at: now)
    case .unchanged(let number, let version): unchanged(number, version: version, at: now)
    case .readingFailed(let number, let failure): readingFailed(number, failure, at: now)
    case .readingEnded(let number): readingEnded(number, at: now)
    case .checked: checked(at: now)
    case .asked(let waiter, let wish, let policy): asked(by: waiter, wish, policy, at: now)
    case .forced(let policy): forced(policy)
    case .left(let waiters): left(waiters)
    case .savingBegan(let number): savingBegan(number)
    case .dropped(let number): dropped(number)
    case .outdated(let number): outdated(number)
    case .saved(let number, let record, let version):
      saved(number, record, version: version, at: now)
    case .fetchFailed(let number, let failure): fetchFailed(number, failure)
    case .writingBegan: writing(true)
    case .writingFailed: writing(false) + [publish()]
    case .updated(let record, let version): updated(record, version: version, at: now)
    case .cleared(let isKept): cleared(isKept: isKept, at: now)
    case .restarted: restarted()
    case .invalidated: invalidated(at: now)
    case .pageAsked(let direction): pageAsked(direction)
    case .pageSavingBegan(let direction, let number): pageSavingBegan(direction, number)
    case .pagePassedOver(let direction, let number, let record):
      pagePassedOver(direction, number, record)
    case .pageSaved(let direction, let number, let record, let version):
      pageSaved(direction, number, record, version: version, at: now)
    case .pageFailed(let direction, let number, let failure):
      pageFailed(direction, number, failure)
    case .pageLeft(let number): pageLeft(number)
    }
  }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  var isObserved: Bool { !observers.isEmpty }

  /// All that the states follow from now; that a fetch has just ended is shown once.
  func snapshot(_ finish: CacheRefresh.Finish? = nil) -> CacheSnapshot<Content> {
    CacheSnapshot(
      stored: stored, body: reading.body, isHeldBack: reading.isWaitingForOwnSave,
      isSettled: reading.isSettled, isBehind: reading.isBehind,
      isFirstFetch: refresh.fetch?.isFirst, finish: finish,
      failure: refresh.failure ?? reading.failure ?? stored.failure, loads: pages)
  }

  func publish(_ finish: CacheRefresh.Finish? = nil) -> Effect { .publish(snapshot(finish)) }

  /// Changes what is remembered of the last fetch, which is not shown.
  private mutating func note(_ change: (inout FetchRecord) -> Void) -> [Effect] {
    stored.change(change)
    return []
  }
}
