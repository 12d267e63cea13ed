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
      /// What wakes those who wait, most often one.
      var arrivals: [Promise<Void>] = []

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
      let (arrivals, lost) = state.withLock { state -> ([Promise<Void>], Event?) in
        defer { state.arrivals = [] }
        guard let event else {
          state.hasEnded = true
          return (state.arrivals, nil)
        }
        guard state.events.count == capacity else {
          state.events.append(event)
          return (state.arrivals, nil)
        }
        let lost = state.events[state.start]
        state.events[state.start] = event
        state.start = (state.start + 1) % capacity
        state.hasMissed = true
        return (state.arrivals, lost)
      }
      if arrivals.isEmpty, lost == nil { return nil }
      return { withExtendedLifetime(lost) { for arrival in arrivals { arrival.fulfil() } } }
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
    ///
    /// Of several that wait, all wake at the next event, and those that find it taken wait again.
    package func arrival() async {
      let arrival = Promise<Void>()
      let isThere = state.withLock { state in
        if state.isEmpty { state.arrivals.append(arrival) }
        return !state.isEmpty
      }
      if isThere { return }
      await withCancellationHandler {
        await arrival.value
      } onCancel: {
        state.withLock { $0.arrivals.removeAll { $0 === arrival } }
        arrival.fulfil()
      }
    }
  }

  /// The events of a broadcast for one reader, from the time when it began to listen.
  ///
  /// It is no sequence, because all copies share one buffer; ``EventSequence`` is.
  package struct Events: Sendable {
    /// The buffer, which gets events for as long as this exists.
    package let buffer: Buffer
    package let observation: Evocation.Observation

    package init(buffer: Buffer, observation: Evocation.Observation) {
      self.buffer = buffer
      self.observation = observation
    }

    /// Waits for the next event; nil at the end, or if the task is canceled.
    ///
    /// The observation goes on until it returns, which a caller of the buffer would have to see to.
    package func next() async -> Event? {
      defer { withExtendedLifetime(observation) {} }
      return await buffer.next()
    }

    /// The same events as the type that public protocols name.
    package var stream: AsyncStream<Event> {
      AsyncStream { await next() }
    }
  }
}
