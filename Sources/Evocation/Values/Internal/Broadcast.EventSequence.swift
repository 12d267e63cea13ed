extension Broadcast {
  /// The events of a broadcast from the time when it was made, for any number of readers.
  ///
  /// The first reader gets all events since then. A reader that begins beside it gets those from
  /// its own beginning on. While nobody reads, the events wait for the next reader, who so misses
  /// nothing, as a view whose task begins again.
  package struct EventSequence: AsyncSequence, Sendable {
    package typealias Failure = Never

    fileprivate let readings: Readings

    package func makeAsyncIterator() -> Iterator { Iterator(reading: readings.begin()) }

    package struct Iterator: AsyncIteratorProtocol {
      fileprivate let reading: Reading

      package mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Event? {
        await reading.events.next()
      }
    }
  }

  /// Returns a sequence of the events from now on.
  ///
  /// A reader that falls behind by more than the capacity loses the oldest events.
  package func sequence(keeping capacity: Int) -> EventSequence {
    let events = events(keeping: capacity)
    return EventSequence(
      readings: Readings(events) { [weak self] in
        self?.events(keeping: capacity) ?? .ended
      })
  }

  /// What the readers of a sequence share: which of them has the events since its beginning.
  fileprivate final class Readings: Sendable {
    private let first: Events
    private let isFirstRead = Lock(false)
    private let another: @Sendable () -> Events

    init(_ first: Events, _ another: @escaping @Sendable () -> Events) {
      self.first = first
      self.another = another
    }

    func begin() -> Reading {
      let isFirst = isFirstRead.withLock { isRead in
        defer { isRead = true }
        return !isRead
      }
      return isFirst ? Reading(first, of: self) : Reading(another(), of: nil)
    }

    func end() { isFirstRead.withLock { $0 = false } }
  }

  /// The events of one reader, until all copies of its iterator are released.
  fileprivate final class Reading: Sendable {
    let events: Events
    private let readings: Readings?

    init(_ events: Events, of readings: Readings?) {
      self.events = events
      self.readings = readings
    }

    deinit { readings?.end() }
  }
}

extension Broadcast.Events {
  /// Events of a broadcast that has ended.
  fileprivate static var ended: Self {
    let buffer = Broadcast.Buffer(capacity: 1)
    buffer.put(nil)
    return Self(buffer: buffer, observation: Evocation.Observation {})
  }
}
