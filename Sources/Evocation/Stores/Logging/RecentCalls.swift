package import Foundation
internal import Synchronization

/// The calls and events that ended last, once an inspection has asked for them.
///
/// Until then a call pays for one look at a flag (`find, async`).
package final class RecentCalls: Sendable {
  /// A call that has ended; its text is made when it is shown.
  package struct Recent: Sendable {
    package let endedAt: Date
    package let criteria: Criteria?
    package let call: @Sendable (_ showsValues: Bool) -> Evocation.Log.Call

    package init(
      endedAt: Date, criteria: Criteria?,
      call: @escaping @Sendable (_ showsValues: Bool) -> Evocation.Log.Call
    ) {
      self.endedAt = endedAt
      self.criteria = criteria
      self.call = call
    }
  }

  private struct State {
    var calls: [String: [Recent]] = [:]
    /// The number of sign-outs when the calls were last forgotten.
    var signOuts: UInt64 = 0
  }

  /// How many calls of each model type are kept.
  private static var most: Int { 20 }

  private let isKept = Atomic(false)
  private let state = Lock(State())

  package init() {}

  /// Whether calls are kept.
  package var isOn: Bool { isKept.load(ordering: .relaxed) }

  /// Keeps the calls that end from now on.
  package func begin() { isKept.store(true, ordering: .relaxed) }

  /// Notes a call on a model type that has ended, unless its user has signed out.
  ///
  /// `signOuts` is the number of sign-outs when the call was made.
  package func note(_ recent: Recent, of model: String, asOf signOuts: UInt64) {
    guard isOn else { return }
    state.change { state -> Recent? in
      guard signOuts >= state.signOuts else { return nil }
      state.calls[model, default: []].append(recent)
      let surplus = (state.calls[model]?.count ?? 0) - Self.most
      return surplus > 0 ? state.calls[model]?.removeFirst() : nil
    }
  }

  /// The calls on a model type, the latest first.
  package func calls(of model: String) -> [Recent] {
    state.withLock { $0.calls[model] ?? [] }.reversed()
  }

  /// Forgets the calls of a user who has signed out, and those that still run.
  package func forget(before signOuts: UInt64) {
    state.change { state in
      defer { state = State(signOuts: signOuts) }
      return state.calls
    }
  }
}
