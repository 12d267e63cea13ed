/// What has come for one reader, in order; who is too slow gets one event that says so.
final class EventBuffer<Event: Sendable>: Sendable {
  /// What a reader finds.
  enum Contents: Sendable {
    /// These, in order.
    case events([Event])
    /// More than were kept.
    case tooMany
  }

  private struct State {
    var events: [Event] = []
    var hasLost = false
    var arrival: Promise<Void>?
    var isEmpty: Bool { events.isEmpty && !hasLost }
  }

  private let capacity: Int
  private let state = Lock(State())

  init(capacity: Int) {
    self.capacity = capacity
  }

  func put(_ event: Event) {
    add(event)?.fulfil(())
  }

  /// Puts an event in, and gives what wakes the reader.
  ///
  /// So events can be put in under a lock, which is open again when the reader is woken.
  func add(_ event: Event) -> Promise<Void>? {
    // What is lost is let go of after the lock, because that may end an app's own objects.
    let (arrival, lost) = state.withLock { state -> (Promise<Void>?, [Event]) in
      defer { state.arrival = nil }
      guard state.events.count >= capacity || state.hasLost else {
        state.events.append(event)
        return (state.arrival, [])
      }
      defer { state.events = [] }
      state.hasLost = true
      return (state.arrival, state.events)
    }
    withExtendedLifetime(lost) {}
    return arrival
  }

  var isEmpty: Bool {
    state.withLock { $0.isEmpty }
  }

  /// Takes everything that is there, without waiting.
  func empty() -> Contents {
    state.withLock { state in
      defer {
        state.events = []
        state.hasLost = false
      }
      return state.hasLost ? .tooMany : .events(state.events)
    }
  }

  /// Waits until something is there, or the task is cancelled.
  func arrival() async {
    let arrival = Promise<Void>()
    let isThere = state.withLock { state in
      if state.isEmpty { state.arrival = arrival }
      return !state.isEmpty
    }
    if isThere { return }
    await withCancellationHandler {
      await arrival.value
    } onCancel: {
      arrival.fulfil(())
    }
  }
}
