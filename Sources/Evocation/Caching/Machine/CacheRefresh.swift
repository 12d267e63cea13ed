/// Whether a fetch of the cache runs, and how the last one ended.
enum CacheRefresh: Sendable {
  /// No fetch runs; the failure of the last one, if it failed.
  case idle(CacheFailure?)
  /// A fetch begins once there is something to show; the failure of the last one, if it failed.
  case wanted(CacheFailure?)
  /// A fetch runs: its data are fetched, saved, or shown.
  case running(Fetch)

  /// A fetch that runs.
  struct Fetch: Sendable {
    let number: UInt64
    let isFirst: Bool
    var phase = Phase.fetching(isOutdated: false)
    var waiters: [UInt64]
    /// Whether observers began it, or need it too.
    var isAutomatic: Bool
    /// How many times it was begun.
    var attempts = 1

    /// Whether it is not begun again, even if it becomes outdated.
    var isLastAttempt: Bool { attempts >= 3 }

    /// Whether saving has not begun.
    var isFetching: Bool {
      if case .fetching = phase { true } else { false }
    }
  }

  /// The phases of a fetch.
  enum Phase: Sendable {
    /// Until saving begins; whether the cache was declared stale in the meantime.
    case fetching(isOutdated: Bool)
    /// Until it is saved and recorded.
    case saving(Saving)
    /// Until the saved data are shown.
    case showing
  }

  /// How fetched data must be saved.
  enum Saving: Sendable {
    case fresh
    /// As stale, because the cache was declared stale since the fetch began.
    case stale
  }

  /// The end of a fetch, which one state shows.
  struct Finish: Sendable {
    var isFirst: Bool
    var isSuccess: Bool
  }
}

extension CacheRefresh {
  var fetch: Fetch? {
    if case .running(let fetch) = self { fetch } else { nil }
  }

  /// The fetch that runs, if it has this number.
  func fetch(_ number: UInt64) -> Fetch? {
    fetch.flatMap { $0.number == number ? $0 : nil }
  }

  /// Changes the fetch that runs, if one does.
  mutating func change(_ body: (inout Fetch) -> Void) {
    guard case .running(var fetch) = self else { return }
    body(&fetch)
    self = .running(fetch)
  }

  /// The failure of the last fetch; nil while another one runs.
  var failure: CacheFailure? {
    switch self {
    case .idle(let failure), .wanted(let failure): failure
    case .running: nil
    }
  }

  var isWanted: Bool {
    if case .wanted = self { true } else { false }
  }

  /// Whether the data are saved and about to be shown.
  var isShowing: Bool {
    if case .showing = fetch?.phase { true } else { false }
  }

  /// Forgets the failure of the last fetch.
  mutating func forgetFailure() {
    switch self {
    case .idle: self = .idle(nil)
    case .wanted: self = .wanted(nil)
    case .running: break
    }
  }

  /// Forgets that a fetch is wanted.
  mutating func forgetWish() {
    if case .wanted(let failure) = self { self = .idle(failure) }
  }
}
