/// Whether a cache is being fetched, and how the last fetch ended.
enum CacheRefresh: Sendable {
  /// Nothing is fetched; what went wrong last time, if it did.
  case idle(CacheFailure?)
  /// Those who observe want a fetch as soon as there is something to show; what went wrong last time.
  case wanted(CacheFailure?)
  /// It is being fetched, saved, or shown.
  case running(Fetch)

  /// A fetch on its way.
  struct Fetch: Sendable {
    let number: UInt64
    let isFirst: Bool
    var phase = Phase.fetching(isOutdated: false)
    var waiters: [UInt64]
    /// Whether it was begun, or is also wanted, by those who observe.
    var isAutomatic: Bool
    /// How often it was begun.
    var attempts = 1

    /// Whether it is not begun once more for what happened meanwhile.
    var isLastAttempt: Bool { attempts >= 3 }

    /// Whether the source has not answered yet, or nothing of the answer was saved.
    var isFetching: Bool {
      if case .fetching = phase { true } else { false }
    }
  }

  /// How far a fetch has come.
  enum Phase: Sendable {
    /// Until the source answers; whether the cache was declared stale meanwhile.
    case fetching(isOutdated: Bool)
    /// Until it is saved and stamped.
    case saving(Saving)
    /// Until what was saved is shown.
    case showing
  }

  /// How what was fetched is to be saved.
  enum Saving: Sendable {
    case fresh
    /// It was declared stale since the fetch began.
    case stale
  }

  /// How a fetch ended, for the one state that says so.
  struct Finish: Sendable {
    var isFirst: Bool
    var isSuccess: Bool
  }
}

extension CacheRefresh {
  var fetch: Fetch? {
    if case .running(let fetch) = self { fetch } else { nil }
  }

  /// The fetch with a number, if it runs.
  func fetch(_ number: UInt64) -> Fetch? {
    fetch.flatMap { $0.number == number ? $0 : nil }
  }

  /// Changes the fetch that runs, if one does.
  mutating func change(_ body: (inout Fetch) -> Void) {
    guard case .running(var fetch) = self else { return }
    body(&fetch)
    self = .running(fetch)
  }

  /// What went wrong last time; a fetch that begins forgets it.
  var failure: CacheFailure? {
    switch self {
    case .idle(let failure), .wanted(let failure): failure
    case .running: nil
    }
  }

  var isWanted: Bool {
    if case .wanted = self { true } else { false }
  }

  /// Whether what was saved is to be shown next.
  var isShowing: Bool {
    if case .showing = fetch?.phase { true } else { false }
  }

  /// Forgets what went wrong last time.
  mutating func forgetFailure() {
    switch self {
    case .idle: self = .idle(nil)
    case .wanted: self = .wanted(nil)
    case .running: break
    }
  }

  /// Those who observe want no fetch any more.
  mutating func forgetWish() {
    if case .wanted(let failure) = self { self = .idle(failure) }
  }
}
