internal import Synchronization

/// Tells its listeners of events: handlers, which it calls directly, and readers with a buffer.
///
/// A reader gets the events in the order in which the calls of ``tell(_:)`` took the lock, which is
/// the same for all. Handlers are called after the lock, so whoever tells them what has an order
/// does so in turns, as repositories do with their commits. Readers end with the broadcast.
package final class Broadcast<Event: Sendable>: Sendable {
  /// Takes an event under the lock, or nil for the end, and returns what to do after it.
  private typealias Listener = @Sendable (Event?) -> (@Sendable () -> Void)?

  private struct State {
    /// In the order in which they began to listen.
    var listeners: [(number: UInt64, listener: Listener)] = []
    var lastNumber: UInt64 = 0
    var last: Event?
    var hasEnded = false
  }

  private let state: Lock<State>
  private let keepsLast: Bool
  /// Not part of the state, because each write reads it, and reading a generic struct costs more
  /// than all the rest (`storeOne`).
  private let count = Atomic(0)

  /// Creates a broadcast that forgets each event as soon as it has told it.
  package init() {
    state = Lock(State())
    keepsLast = false
  }

  /// Creates a broadcast of a value's changes, which remembers the last one.
  package init(last: Event?) {
    state = Lock(State(last: last))
    keepsLast = true
  }

  deinit { finish() }

  /// The last event, if the broadcast remembers it.
  package var last: Event? { state.withLock { $0.last } }

  /// How many listen.
  package var listenerCount: Int { count.load(ordering: .relaxed) }

  /// Whether anybody listens.
  package var isObserved: Bool { listenerCount > 0 }

  /// Tells all listeners of an event.
  package func tell(_ event: Event) {
    send(event) { _ in true }
  }

  /// Ends the sequences of all readers, and those of later ones after the last event.
  package func finish() {
    state.change { state in
      state.hasEnded = true
      return state.listeners.compactMap { $0.listener(nil) }
    } afterwards: { rests in
      for rest in rests { rest() }
    }
  }

  /// Calls the handler at each event until the observation ends.
  package func observe(_ handler: @escaping @Sendable (Event) -> Void) -> Evocation.Observation {
    listen { event in
      guard let event else { return nil }
      return { handler(event) }
    }
  }

  /// Returns the events from now on, for one reader.
  ///
  /// If the reader falls behind by more than the capacity, it loses the oldest events. Before the
  /// first it gets the last event, if it asks for that and there is one.
  package func events(keeping capacity: Int, replaysLast: Bool = false) -> Events {
    let buffer = Buffer(capacity: capacity)
    return Events(
      buffer: buffer, observation: listen(replaysLast: replaysLast) { buffer.add($0) })
  }

  /// Tells an event if the last event permits; returns whether it did.
  @discardableResult
  fileprivate func send(_ event: Event, if condition: (Event?) -> Bool) -> Bool {
    state.change { state -> (old: Event?, rest: [@Sendable () -> Void])? in
      guard condition(state.last) else { return nil }
      let old = state.last
      if keepsLast { state.last = event }
      return (old, state.listeners.compactMap { $0.listener(event) })
    } afterwards: { told in
      for rest in told?.rest ?? [] { rest() }
      return told != nil
    }
  }

  private func listen(
    replaysLast: Bool = false, _ listener: @escaping Listener
  ) -> Evocation.Observation {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.listeners.append((state.lastNumber, listener))
      count.store(state.listeners.count, ordering: .relaxed)
      // Nobody waits yet, so there is nothing to do afterwards.
      if replaysLast, let last = state.last { _ = listener(last) }
      if state.hasEnded { _ = listener(nil) }
      return state.lastNumber
    }
    return Evocation.Observation { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: UInt64) {
    state.change { state -> Listener? in
      guard let index = state.listeners.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      let removed = state.listeners.remove(at: index).listener
      count.store(state.listeners.count, ordering: .relaxed)
      return removed
    }
  }
}

extension Broadcast where Event == Void {
  package func tell() { tell(()) }
}

extension Broadcast where Event: Equatable {
  /// Tells a value unless it equals the last one, and returns whether it did.
  @discardableResult
  package func set(_ value: Event) -> Bool {
    send(value) { $0 != value }
  }
}
