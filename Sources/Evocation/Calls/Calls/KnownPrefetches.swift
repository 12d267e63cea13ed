/// The prefetches that the app has asked for in this process, which are repeated when they are due.
package final class KnownPrefetches: Sendable {
  struct Key: Hashable {
    let model: ObjectIdentifier
    let criteria: Criteria
  }

  private struct State {
    var runs: [Key: (session: Session, run: DueFetch)] = [:]
    /// The keys, the one that was asked for last at the end.
    var order: [Key] = []
  }

  /// How many are kept; the app has asked for the others long ago.
  private static var most: Int { 100 }

  private let state = Lock(State())

  /// Keeps a prefetch, or forgets it if it need not be repeated.
  func keep(_ key: Key, in session: Session, _ run: DueFetch?) {
    state.change { state -> [DueFetch] in
      state.order.removeAll { $0 == key }
      var old = [state.runs.removeValue(forKey: key)?.run]
      guard let run else { return old.compactMap(\.self) }
      state.order.append(key)
      state.runs[key] = (session, run)
      if state.order.count > Self.most {
        old.append(state.runs.removeValue(forKey: state.order.removeFirst())?.run)
      }
      return old.compactMap(\.self)
    }
  }

  /// Returns all prefetches of the present user.
  package var all: [DueFetch] {
    state.withLock { state in
      state.order.compactMap { state.runs[$0] }.filter { !$0.session.isOver }.map(\.run)
    }
  }
}
