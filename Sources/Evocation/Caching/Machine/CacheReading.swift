/// How what is saved is being read: what was read last, and the observation that gives it.
struct CacheReading<Content: Sendable>: Sendable {
  /// Why what is saved is observed anew, or its next value awaited.
  enum Cause: Sendable {
    /// Somebody began to observe, to whom nothing is known yet.
    case begun
    /// Something was saved, whose content is to be shown with it.
    case ownSave
    /// It was observed, or read, before.
    case again
  }

  /// How an observation stands.
  enum Phase: Sendable {
    /// Until its first value, or the first one that shows what was saved; since then.
    case waiting(since: Duration)
    /// That value did not come in time, and is no longer waited for.
    case overdue
    /// It gives what is saved; the store's version that its last value shows, if that is known.
    case current(version: UInt64?)
    /// It failed then, and is begun anew after a pause.
    case failed(at: Duration)
  }

  /// An observation of what is saved.
  struct Observation: Sendable {
    let number: UInt64
    var cause: Cause
    var phase: Phase
    /// The version of the last save; what the observation gives of an earlier one is not shown.
    var savedVersion: UInt64?
  }

  /// How far what was read can be shown.
  enum Condition: Sendable {
    case good
    /// Reading takes so long that the state is shown without what is saved now.
    case late
    /// Observing failed, so many times one after another.
    case failed(CacheFailure, times: Int)
  }

  private(set) var body = CacheBody<Content>.unread
  private(set) var condition = Condition.good
  private(set) var observation: Observation?

  /// Begins to observe in place of what was observed.
  mutating func begin(_ number: UInt64, _ cause: Cause, at now: CacheMoment) {
    observation = Observation(number: number, cause: cause, phase: .waiting(since: now.time))
  }

  /// Takes what the observation gave, and the version that it shows where that is known.
  mutating func take(_ body: CacheBody<Content>, version: UInt64?) {
    show(body)
    observation?.phase = .current(version: version)
  }

  /// Shows what was read, by observing or beside it.
  mutating func show(_ body: CacheBody<Content>) {
    self.body = body
    condition = .good
  }

  mutating func fail(_ failure: CacheFailure, at now: CacheMoment) {
    condition = .failed(failure, times: failures + 1)
    observation?.phase = .failed(at: now.time)
  }

  /// The value that is waited for does not come in time.
  mutating func giveUpWaiting() {
    observation?.phase = .overdue
    if case .good = condition { condition = .late }
  }

  /// What an observation tells of something that was saved.
  enum Arrival: Sendable {
    /// It has given it already, in this version.
    case arrived(version: UInt64)
    /// It will give it, and goes on.
    case coming
    /// Nothing: what is saved has to be read anew.
    case untold
  }

  /// Something was saved, and is shown by the observation that there is, if its versions tell.
  mutating func expect(_ saved: UInt64?, at now: CacheMoment) -> Arrival {
    guard let saved, let phase = observation?.phase else { return .untold }
    var arrival = Arrival.coming
    switch phase {
    case .current(nil), .failed: return .untold
    case .current(let shown?): if shown >= saved { arrival = .arrived(version: shown) }
    case .waiting, .overdue: break
    }
    observation?.cause = .ownSave
    observation?.phase = .waiting(since: now.time)
    observation?.savedVersion = saved
    return arrival
  }
}

extension CacheReading {
  var isRead: Bool {
    if case .unread = body { false } else { true }
  }

  var failure: CacheFailure? {
    if case .failed(let failure, _) = condition { failure } else { nil }
  }

  private var failures: Int {
    if case .failed(_, let times) = condition { times } else { 0 }
  }

  /// Whether the observation has not given what it is to show yet.
  var isBeforeFirstValue: Bool {
    switch observation?.phase {
    case .waiting, .overdue: true
    case .current, .failed, nil: false
    }
  }

  /// Whether what was saved is about to be shown, so that what is known is of before.
  var isWaitingForOwnSave: Bool {
    guard case .waiting = observation?.phase else { return false }
    return observation?.cause == .ownSave
  }

  /// Whether the content, or that it cannot be had now, is known.
  var isSettled: Bool {
    switch condition {
    case .good: isRead
    case .late, .failed: true
    }
  }

  /// Whether there is content to come that is not shown yet.
  var isBehind: Bool {
    switch condition {
    case .good: !isRead
    case .late: true
    case .failed: false
    }
  }

  /// When its first value is overdue, or it is to be begun anew; nil when it is neither.
  var dueAt: Duration? {
    switch observation?.phase {
    case .waiting(let since): since.adding(Self.patience)
    case .failed(let date): date.adding(.seconds(1 << min(max(0, failures - 1), 6)))
    case .overdue, .current, nil: nil
    }
  }

  /// How long the state waits for its content before it is shown without.
  private static var patience: Duration { .seconds(1) }
}
