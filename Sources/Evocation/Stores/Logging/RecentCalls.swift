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

  /// How many calls of each model type are kept.
  private static var most: Int { 20 }

  private let isKept = Atomic(false)
  private let calls = Lock<[String: [Recent]]>([:])

  package init() {}

  /// Whether calls are kept.
  package var isOn: Bool { isKept.load(ordering: .relaxed) }

  /// Keeps the calls that end from now on.
  package func begin() { isKept.store(true, ordering: .relaxed) }

  /// Records a call on a model type that has ended, unless its user has signed out.
  ///
  /// `session` is that in which the call was made.
  package func add(_ recent: Recent, of model: String, in session: Session) {
    guard isOn else { return }
    calls.change { calls -> Recent? in
      guard !session.isOver else { return nil }
      calls[model, default: []].append(recent)
      let surplus = (calls[model]?.count ?? 0) - Self.most
      return surplus > 0 ? calls[model]?.removeFirst() : nil
    }
  }

  /// The calls on a model type, the latest first.
  package func calls(of model: String) -> [Recent] {
    calls.withLock { $0[model] ?? [] }.reversed()
  }

  /// Forgets the calls of a user who has signed out; those that still run are not recorded.
  package func forget() {
    calls.change { calls in
      defer { calls = [:] }
      return calls
    }
  }
}
