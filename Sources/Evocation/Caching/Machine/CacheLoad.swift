/// A load of a cache, or how the last one ended: of all its data, or of one more page of a list.
enum CacheLoad: Sendable {
  /// None runs; the failure of the last one, if it failed.
  case idle(CacheFailure?)
  /// One begins once there is something to show; the failure of the last one, if it failed.
  case wanted(CacheFailure?)
  /// One runs: its data are fetched, saved, or shown.
  case running(Run)

  /// A load that runs.
  struct Run: Sendable {
    let number: UInt64
    /// Whether the cache was never fetched, or was cleared.
    var isFirst: Bool
    var phase = Phase.fetching(isOutdated: false)
    var waiters: [UInt64]
    /// Whether observers began it, or need it too.
    var isAutomatic: Bool
    /// How many times it was begun.
    let attempts: Int
    /// What the fetch tried, once its data are saved.
    private(set) var trace: Evocation.Trace?

    init(
      number: UInt64, isFirst: Bool = false, waiters: [UInt64], isAutomatic: Bool = false,
      attempts: Int = 1
    ) {
      self.number = number
      self.isFirst = isFirst
      self.waiters = waiters
      self.isAutomatic = isAutomatic
      self.attempts = attempts
    }

    /// Waits for the saved data to be shown.
    mutating func show(_ trace: Evocation.Trace?) {
      phase = .showing
      self.trace = trace
    }

    /// Whether it is not begun again, even if it becomes outdated.
    var isLastAttempt: Bool { attempts >= 3 }

    /// Whether saving has not begun.
    var isFetching: Bool {
      if case .fetching = phase { true } else { false }
    }
  }

  /// The phases of a load.
  enum Phase: Sendable {
    /// Until saving begins; whether the cache was declared stale in the meantime.
    case fetching(isOutdated: Bool)
    /// Until it is saved and recorded: as fresh, or as stale, because the cache was declared stale
    /// since the load began.
    case saving(Freshness)
    /// Until the saved data are shown.
    case showing
  }

  /// The end of a load, for the callers that waited for it.
  enum End: Sendable {
    /// The data are saved and shown; what the fetch tried, unless none was needed.
    case successful(Evocation.Trace?)
    case failed(any Error)
    case skipped(Reason)
  }

  /// Why nothing was loaded for a caller.
  enum Reason: Sendable {
    case isFresh, isCancelled, noMorePages, isLoading, lastPageFailed
  }

  /// The end of a fetch of all data, which one state shows.
  struct Finish: Sendable {
    var isFirst: Bool
    var isSuccess: Bool
  }
}

extension CacheLoad {
  var run: Run? {
    if case .running(let run) = self { run } else { nil }
  }

  /// The load that runs, if it has this number.
  func run(_ number: UInt64) -> Run? {
    run.flatMap { $0.number == number ? $0 : nil }
  }

  /// Changes the load that runs, if one does.
  mutating func change(_ body: (inout Run) -> Void) {
    guard case .running(var run) = self else { return }
    body(&run)
    self = .running(run)
  }

  /// The failure of the last load; nil while another one runs.
  var failure: CacheFailure? {
    switch self {
    case .idle(let failure), .wanted(let failure): failure
    case .running: nil
    }
  }

  var isWanted: Bool {
    if case .wanted = self { true } else { false }
  }

  var isSaving: Bool {
    if case .saving = run?.phase { true } else { false }
  }

  /// Whether the data are saved and about to be shown.
  var isShowing: Bool {
    if case .showing = run?.phase { true } else { false }
  }

  /// Forgets the failure of the last load.
  mutating func forgetFailure() {
    switch self {
    case .idle: self = .idle(nil)
    case .wanted: self = .wanted(nil)
    case .running: break
    }
  }

  /// Forgets that a load is wanted.
  mutating func forgetWanted() {
    if case .wanted(let failure) = self { self = .idle(failure) }
  }

  /// What a list's states say of the pages in its direction.
  func state(hasPage: Bool) -> AdditionalLoadingState {
    switch self {
    case .running: .loading
    case .idle(let failure?), .wanted(let failure?): .error(failure.error)
    case .idle(nil), .wanted(nil): .fixed(canRequestAdditionalData: hasPage)
    }
  }
}

/// The loads of a cache, by where their data belong: all data replace it, pages continue it.
struct CacheLoads: Sendable {
  private var whole = CacheLoad.idle(nil)
  private var next = CacheLoad.idle(nil)
  private var previous = CacheLoad.idle(nil)

  subscript(position: PagePosition) -> CacheLoad {
    get {
      switch position {
      case .replacing: whole
      case .after: next
      case .before: previous
      }
    }
    set {
      switch position {
      case .replacing: whole = newValue
      case .after: next = newValue
      case .before: previous = newValue
      }
    }
  }

  /// Whether a page is being saved; values that are read during the save are shown with it.
  var isSavingPage: Bool { next.isSaving || previous.isSaving }
}

extension PagePosition {
  /// The positions of one more page.
  static var pages: [PagePosition] { [.after, .before] }
}

extension RefreshResult {
  init(_ end: CacheLoad.End) {
    switch end {
    case .successful(let trace): self = .successful(trace: trace)
    case .failed(let error): self = .failed(error)
    case .skipped(let reason): self = .skipped(reason == .isFresh ? .cacheNotTooOld : .cancelled)
    }
  }
}

extension PageResult {
  init(_ end: CacheLoad.End) {
    switch end {
    case .successful(let trace): self = .successful(trace: trace)
    case .failed(let error): self = .failed(error)
    case .skipped(.noMorePages): self = .skipped(.noMorePages)
    case .skipped(.isLoading): self = .skipped(.alreadyLoading)
    case .skipped(.lastPageFailed): self = .skipped(.lastPageFailed)
    case .skipped(.isCancelled), .skipped(.isFresh): self = .skipped(.cancelled)
    }
  }
}
