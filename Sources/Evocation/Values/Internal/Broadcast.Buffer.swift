extension Broadcast {
  /// The events that wait for one reader, in order; beyond its capacity it loses the oldest.
  ///
  /// Without a broadcast it collects what several sources put into it.
  package final class Buffer: Sendable {
    private struct State {
      /// The waiting events; when it is full, the oldest is at `start`.
      var events: [Event] = []
      var start = 0
      /// The events that were taken together, the next one last.
      var taken: [Event] = []
      var hasMissed = false
      var hasEnded = false
      var arrival: Promise<Void>?

      var isEmpty: Bool { events.isEmpty && taken.isEmpty && !hasEnded }

      mutating func take() -> [Event] {
        defer { (events, start) = ([], 0) }
        return Array(events[start...] + events[..<start])
      }
    }

    private let capacity: Int
    private let state = Lock(State())

    package init(capacity: Int) {
      self.capacity = capacity
    }

    /// Adds an event, or the end, and wakes the reader.
    package func put(_ event: Event?) {
      add(event)?()
    }

    /// Adds an event, or the end, and returns what wakes the reader, if it waits.
    ///
    /// So a caller can add an event under a lock, and wake the reader after it. An event that is
    /// lost by it is released by that as well, because that may run a `deinit` of the app.
    package func add(_ event: Event?) -> (@Sendable () -> Void)? {
      let (arrival, lost) = state.withLock { state -> (Promise<Void>?, Event?) in
        defer { state.arrival = nil }
        guard let event else {
          state.hasEnded = true
          return (state.arrival, nil)
        }
        guard state.events.count == capacity else {
          state.events.append(event)
          return (state.arrival, nil)
        }
        let lost = state.events[state.start]
        state.events[state.start] = event
        state.start = (state.start + 1) % capacity
        state.hasMissed = true
        return (state.arrival, lost)
      }
      if arrival == nil, lost == nil { return nil }
      return { withExtendedLifetime(lost) { arrival?.fulfil() } }
    }

    /// Whether there is nothing to take, and more may come.
    package var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Takes all events without waiting, and whether some were lost before them.
    package func takeAll() -> (events: [Event], hasMissed: Bool) {
      state.withLock { state in
        defer { (state.taken, state.hasMissed) = ([], false) }
        return (state.taken.reversed() + state.take(), state.hasMissed)
      }
    }

    /// Waits for the next event; nil at the end, or if the task is canceled.
    package func next() async -> Event? {
      while !Task.isCancelled {
        let (event, hasEnded) = state.withLock { state -> (Event?, Bool) in
          if state.taken.isEmpty { state.taken = state.take().reversed() }
          return (state.taken.popLast(), state.hasEnded)
        }
        if event != nil || hasEnded { return event }
        await arrival()
      }
      return nil
    }

    /// Waits until there is an event or the end, or the task is canceled.
    package func arrival() async {
      let arrival = Promise<Void>()
      let isThere = state.withLock { state in
        if state.isEmpty { state.arrival = arrival }
        return !state.isEmpty
      }
      if isThere { return }
      await withCancellationHandler {
        await arrival.value
      } onCancel: {
        arrival.fulfil()
      }
    }
  }

  /// The events of a broadcast for one reader, from the time when it began to listen.
  package struct Events: AsyncSequence, Sendable {
    package typealias Failure = Never

    /// The buffer, which gets events for as long as the sequence exists.
    package let buffer: Buffer
    package let observation: Evocation.Observation

    package init(buffer: Buffer, observation: Evocation.Observation) {
      self.buffer = buffer
      self.observation = observation
    }

    package func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    /// Waits for the next event; nil at the end, or if the task is canceled.
    ///
    /// The sequence exists until it returns, which a caller of the buffer would have to see to.
    package func next() async -> Event? {
      defer { withExtendedLifetime(observation) {} }
      return await buffer.next()
    }

    /// The same events as the type that public protocols name.
    package var stream: AsyncStream<Event> {
      AsyncStream { await next() }
    }

    package struct Iterator: AsyncIteratorProtocol {
      let events: Events

      package mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Event? {
        await events.next()
      }
    }
  }
}
