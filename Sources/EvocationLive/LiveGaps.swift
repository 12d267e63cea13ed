internal import Evocation
import Foundation

/// What one subscription has missed and not fetched yet, over all its connections.
final class LiveGaps: Sendable {
  /// What has to be fetched.
  struct Missed: Sendable {
    /// Whether everything that is observed has to be fetched.
    var isAll = false
    /// The ids of single models that could not be read.
    var models: Set<String> = []

    /// How many models are fetched one by one; beyond that, everything that is observed is.
    private static var mostModels: Int { 20 }

    var isEmpty: Bool { !isAll && models.isEmpty }

    mutating func add(_ other: Missed) {
      isAll = isAll || other.isAll
      models.formUnion(other.models)
      if isAll || models.count > Self.mostModels { (isAll, models) = (true, []) }
    }
  }

  /// A fetch of what was missed.
  struct Round: Sendable {
    let missed: Missed
    /// The number of the last gap that it fills.
    fileprivate let number: UInt64
  }

  private struct State {
    var missed = Missed()
    /// Whether the service has said so, or has sent what cannot be read.
    var isAnnounced = false
    /// When it is to be fetched.
    var due: Duration?
    var isConnected = false
    /// The number of gaps so far, and of those that are filled.
    var number: UInt64 = 0
    var filled: UInt64 = 0
    /// The last mark that was not saved because something is missing.
    var heldMark: String?
    /// The fetches in a row for what the service has announced, and when the next one may be made.
    var rounds: (count: Int, next: Duration)?
  }

  /// The pause between fetches for which the service is the reason again and again.
  private static var pauses: Backoff {
    Backoff(first: .seconds(20), longest: .minutes(5), jitter: 0.5)
  }

  /// Tells that something may be due earlier.
  let news = Broadcast<Void>.Buffer(capacity: 1)
  private let chance: @Sendable () -> Double
  private let state = Lock(State())

  init(chance: @escaping @Sendable () -> Double) {
    self.chance = chance
  }

  /// Records whether a connection stands; without one nothing is fetched, because more is missed.
  func setConnected(_ isConnected: Bool) {
    state.withLock { $0.isConnected = isConnected }
    if isConnected { news.put(()) }
  }

  /// Records that changes were missed while there was no connection, to be fetched after a pause.
  func missWithoutConnection(at now: Duration, pause: Duration) {
    add(Missed(isAll: true), due: now.adding(pause))
  }

  /// Records that the service says that something is missing, or sends what cannot be read.
  ///
  /// The first time it is fetched immediately, and later after pauses that grow while it recurs.
  func miss(_ missed: Missed, at now: Duration) {
    let next = state.withLock { state -> Duration in
      state.isAnnounced = true
      guard let rounds = state.rounds else { return now }
      // After as long a time again, it counts as the first time.
      let pause = Self.pauses.pause(after: rounds.count)
      if now > rounds.next.adding(pause) { state.rounds = nil }
      return max(now, rounds.next)
    }
    add(missed, due: next)
  }

  private func add(_ missed: Missed, due: Duration) {
    let isConnected = state.withLock { state in
      state.number += 1
      state.missed.add(missed)
      state.due = state.due.map { min($0, due) } ?? due
      return state.isConnected
    }
    if isConnected { news.put(()) }
  }

  /// Has everything that is missing be due now, because the app, the network or the user has come back.
  func hurry() {
    state.withLock { state in
      if state.due != nil { state.due = .zero }
      state.rounds = nil
    }
    news.put(())
  }

  /// When the next fetch is due; nil while nothing is missing, or there is no connection.
  var due: Duration? { state.withLock { $0.isConnected ? $0.due : nil } }

  /// Whether a connection stands, and nothing is missing.
  var isFilled: Bool { state.withLock { $0.isConnected && $0.number == $0.filled } }

  /// Begins to fetch all that is missing.
  func begin(at now: Duration) -> Round {
    let chance = chance()
    return state.withLock { state in
      defer { (state.missed, state.due, state.isAnnounced) = (Missed(), nil, false) }
      if state.isAnnounced {
        let count = (state.rounds?.count ?? 0).addingClamped(1)
        state.rounds = (count, now.adding(Self.pauses.pause(after: count, chance: chance)))
      }
      return Round(missed: state.missed, number: state.number)
    }
  }

  /// Records that it could not be fetched, and is fetched later.
  func putBack(_ round: Round, due: Duration) {
    state.withLock { state in
      state.missed.add(round.missed)
      state.due = state.due.map { min($0, due) } ?? due
    }
  }

  /// Records that it was fetched.
  func end(_ round: Round) {
    state.withLock { $0.filled = max($0.filled, round.number) }
  }

  /// Whether nothing was missed since a round began.
  func isLast(_ round: Round) -> Bool { state.withLock { $0.number == round.number } }

  /// Whether single models are missing.
  var lacksModels: Bool { state.withLock { !$0.missed.models.isEmpty } }

  /// Returns the mark to save with changes: none while something is missing.
  ///
  /// A mark claims that nothing before it is missing. If the process ends before what was missed is
  /// fetched, the next connection begins at the last mark that is true. Without changes it returns one that
  /// was held back, once nothing is missing any more.
  func mark(_ mark: String?) -> String? {
    state.withLock { state in
      let mark = mark ?? state.heldMark
      state.heldMark = state.number == state.filled ? nil : mark
      return state.heldMark == nil ? mark : nil
    }
  }
}
