import Foundation

/// What is known of one tag, and what follows from each event, as a value.
///
/// It knows no task, clock or lock. Each event is a method that answers what is to be done.
struct CacheMachine<Content: Sendable>: Sendable {
  /// What was read of the cache.
  enum Body: Sendable {
    case unread
    case empty
    case value(Content, CacheExtent? = nil)
  }

  /// What is to be done after an event.
  enum Effect: Sendable {
    /// Show everybody the state as it was at this point.
    indirect case publish(CacheMachine)
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

  /// A fetch on its way.
  struct Fetch: Sendable {
    enum Phase: Sendable {
      /// Until the source answers.
      case fetching
      /// Until it is saved and stamped.
      case saving
      /// Until what was saved is shown.
      case showing
    }

    let number: UInt64
    let isFirst: Bool
    var phase = Phase.fetching
    var waiters: [UInt64]
    /// Whether it was begun, or is also wanted, by those who observe.
    var isAutomatic: Bool
    /// How often it was begun.
    var attempts = 1
    /// Whether the cache was declared stale since it began.
    var isOutdated = false

    /// Whether it is not begun once more for what happened meanwhile.
    var isLastAttempt: Bool { attempts >= 3 }
  }

  /// Why what is saved is observed anew.
  enum ReadingCause: Sendable {
    /// Somebody began to observe, to whom nothing is known yet.
    case begun
    /// Something was saved, whose content is to be shown with it.
    case ownSave
    /// It was observed, or read, before.
    case again
  }

  /// How the last fetch ended, for the one state that says so.
  struct Finish: Sendable {
    var isFirst: Bool
    var isSuccess: Bool
  }

  var isLoaded = false
  var record: FetchRecord?
  /// When it was fetched, by the clock that only goes on; nil when that is not known.
  var stampedAt: Duration?
  var body = Body.unread
  /// Whether reading takes so long that the state is shown without what is saved now.
  var isLate = false
  var readError: (any Error)?
  var ledgerError: (any Error)?
  var refreshError: (any Error)?
  var fetch: Fetch?
  var pages = PageLoads()
  var finish: Finish?
  var observing: [UInt64: (policy: CachePolicy, count: Int)] = [:]
  /// The number of the observation of what is saved; nil when there is none.
  var reading: UInt64?
  /// Since when its first value has been waited for.
  var readingSince: Duration = .zero
  var readingCause = ReadingCause.begun
  /// Whether the present observation gave a value.
  var hasValue = false
  /// Whether its first value is no longer waited for.
  var isOverdue = false
  /// When the present observation failed.
  var readingFailedAt: Duration?
  /// How many observations failed one after another.
  var readingFailures = 0
  /// How often something else was read of the cache than before.
  var bodyVersion: UInt64 = 0
  /// How often something went wrong otherwise than before.
  var errorVersion: UInt64 = 0
  /// Whether somebody who observes wants a fetch as soon as there is something to show.
  var isForced = false
  /// Whether the app cleared what the source still has: nothing of it is shown.
  var isCleared = false
  /// Whether the app is writing the cache; what is observed meanwhile is shown when it has ended.
  var isWriting = false
  private var lastNumber: UInt64 = 0

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Shows the present state; that a fetch has just ended is shown once.
  mutating func publish() -> Effect {
    defer { finish = nil }
    return .publish(self)
  }

  var isObserved: Bool { !observing.isEmpty }

  /// Whether the ledger is to be asked.
  var needsLoading: Bool { !isLoaded || ledgerError != nil }

  /// What went wrong, of each kind.
  var errors: [(any Error)?] { [refreshError, readError, ledgerError] }

  var isRead: Bool {
    if case .unread = body { false } else { true }
  }

  /// What the cache's age follows from.
  var known: CacheAge { CacheAge(record, stampedAt: stampedAt, isCleared: isCleared) }

  /// Whether there is a cache: a source without a fetch always has one.
  func exists(_ policy: CachePolicy) -> Bool { record != nil || !policy.canFetch }

  /// How old the cache is; nil when unknown, as after the date was set back.
  func age(at now: CacheMoment) -> Duration? { known.age(at: now) }

  func freshness(_ policy: CachePolicy, at now: CacheMoment) -> Freshness? {
    known.freshness(policy, at: now)
  }
}
