/// The events that wait for one reader, in order; if there are too many, only that fact.
final class EventBuffer<Event: Sendable>: Sendable {
  /// The contents of the buffer.
  enum Contents: Sendable {
    /// These events, in order.
    case events([Event])
    /// There were too many events, and they were dropped.
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

  /// Adds an event, and returns the promise that wakes the reader.
  ///
  /// So a caller can add an event under a lock, and wake the reader after it.
  func add(_ event: Event) -> Promise<Void>? {
    // Dropped events are released outside the lock, because that may run a deinit of the app's.
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

  /// Takes all events, without waiting.
  func empty() -> Contents {
    state.withLock { state in
      defer {
        state.events = []
        state.hasLost = false
      }
      return state.hasLost ? .tooMany : .events(state.events)
    }
  }

  /// Waits until there is an event, or the task is canceled.
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
