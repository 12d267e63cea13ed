internal import Foundation
internal import Synchronization

/// The calls and events that ended last, once an inspection has asked for them.
///
/// Until then a call pays for one look at a flag (`find, async`).
final class RecentCalls: Sendable {
  /// A call that has ended; its text is made when it is shown.
  struct Recent: Sendable {
    let endedAt: Date
    let criteria: Criteria?
    let call: @Sendable (_ showsValues: Bool) -> Evocation.Log.Call
  }

  /// How many calls of each model type are kept.
  private static var most: Int { 20 }

  private let isKept = Atomic(false)
  private let calls = Lock<[String: [Recent]]>([:])

  /// Whether calls are kept.
  var isOn: Bool { isKept.load(ordering: .relaxed) }

  /// Keeps the calls that end from now on.
  func begin() { isKept.store(true, ordering: .relaxed) }

  /// Notes a call on a model type that has ended.
  func note(_ recent: Recent, of model: String) {
    guard isOn else { return }
    // Released outside the lock, because the errors may be the app's.
    let old = calls.withLock { calls in
      calls[model, default: []].append(recent)
      let surplus = (calls[model]?.count ?? 0) - Self.most
      return surplus > 0 ? calls[model]?.removeFirst() : nil
    }
    withExtendedLifetime(old) {}
  }

  /// The calls on a model type, the latest first.
  func calls(of model: String) -> [Recent] { calls.withLock { $0[model] ?? [] }.reversed() }

  /// Forgets the calls, which may have values of a user who has signed out.
  func forget() {
    let old = calls.withLock { calls in
      defer { calls = [:] }
      return calls
    }
    withExtendedLifetime(old) {}
  }
}
