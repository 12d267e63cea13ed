/// The reading of a cache: the last value, and the observation that delivers values.
struct CacheReading<Content: Sendable>: Sendable {
  /// Why an observation was begun, or why its next value is awaited.
  enum Cause: Sendable {
    /// Observing began, and nothing was read yet.
    case begun
    /// Content was saved, and is shown together with the end of its save.
    case ownSave
    /// The cache was observed, or read, before.
    case again
  }

  /// The phases of an observation.
  enum Phase: Sendable {
    /// It waits, since this time, for its first value, or for the first one with the saved content.
    case waiting(since: Duration)
    /// That value did not come in time; the state is shown without it.
    case overdue
    /// It has delivered a value, and the store's version with that value where it is known.
    case current(version: UInt64?)
    /// It failed at this time, and is begun again after a pause.
    case failed(at: Duration)
  }

  /// An observation of the source.
  struct Observation: Sendable {
    let number: UInt64
    var cause: Cause
    var phase: Phase
    /// The version of the last save; values of earlier versions are not shown.
    var savedVersion: UInt64?
    /// The last value, where it is older than that version; a later version may have it unchanged.
    var withheld: CacheBody<Content>?
  }

  /// The condition that decides whether the present value can be shown.
  enum Condition: Sendable {
    case good
    /// Reading takes so long that the state is shown without it.
    case late
    /// Observing failed, this many times in a row.
    case failed(CacheFailure, times: Int)
  }

  private(set) var body = CacheBody<Content>.unread
  private(set) var condition = Condition.good
  private(set) var observation: Observation?

  /// Begins an observation, in place of the last one.
  mutating func begin(_ number: UInt64, _ cause: Cause, at now: CacheMoment) {
    observation = Observation(number: number, cause: cause, phase: .waiting(since: now.time))
  }

  /// Takes a value of the observation, and the version with that value where it is known.
  mutating func take(_ body: CacheBody<Content>, version: UInt64?) {
    show(body)
    observation?.phase = .current(version: version)
    observation?.withheld = nil
  }

  /// Keeps a value that is older than the last save.
  mutating func withhold(_ body: CacheBody<Content>) {
    observation?.withheld = body
  }

  /// The last value of the observation; nil before the first.
  var last: CacheBody<Content>? {
    observation?.withheld ?? (isRead ? body : nil)
  }

  /// Takes a value that was read, with or without an observation.
  mutating func show(_ body: CacheBody<Content>) {
    self.body = body
    condition = .good
  }

  mutating func fail(_ failure: CacheFailure, at now: CacheMoment) {
    condition = .failed(failure, times: failures + 1)
    observation?.phase = .failed(at: now.time)
  }

  /// Stops waiting for a value that did not come in time.
  mutating func giveUpWaiting() {
    observation?.phase = .overdue
    if case .good = condition { condition = .late }
  }

  /// Whether the observation will deliver the saved content.
  enum Arrival: Sendable {
    /// It has delivered it already, with this version.
    case arrived(version: UInt64)
    /// It will deliver it.
    case coming
    /// That is unknown, so the cache must be observed again.
    case untold
  }

  /// Takes the version of a save, and waits until the observation delivers it, if it has versions.
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

  /// Whether the observation has not yet delivered the value that it waits for.
  var isBeforeFirstValue: Bool {
    switch observation?.phase {
    case .waiting, .overdue: true
    case .current, .failed, nil: false
    }
  }

  /// Whether the value of a save is awaited, so that the present value is the one before it.
  var isWaitingForOwnSave: Bool {
    guard case .waiting = observation?.phase else { return false }
    return observation?.cause == .ownSave
  }

  /// Whether the content was read, or cannot be read now.
  var isSettled: Bool {
    switch condition {
    case .good: isRead
    case .late, .failed: true
    }
  }

  /// Whether a newer value is expected than the one that is shown.
  var isBehind: Bool {
    switch condition {
    case .good: !isRead
    case .late: true
    case .failed: !isRead
    }
  }

  /// Whether nothing is known of the content, because it could not be read.
  var isUnreadable: Bool { failure != nil && !isRead }

  /// When the awaited value is overdue, or the observation begins again; nil when neither applies.
  var dueAt: Duration? {
    switch observation?.phase {
    case .waiting(let since): since.adding(Self.patience)
    case .failed(let date): date.adding(Self.backoff.pause(after: failures))
    case .overdue, .current, nil: nil
    }
  }

  private static var backoff: Backoff { Backoff(first: .seconds(1), longest: .seconds(64)) }

  /// How long a state waits for its content before it is shown without it.
  private static var patience: Duration { .seconds(1) }
}
