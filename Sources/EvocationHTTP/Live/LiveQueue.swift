import Evocation

/// What waits for one reader of a stream; a full queue holds the connection back.
///
/// The connection adds to it, and one task at a time takes from it.
final class LiveQueue: Sendable {
  enum Item: Equatable {
    /// The reader is connected; with a mark, it has missed nothing since.
    case connected(mark: String?)
    case message(ServerSentEvent, [HTTPFormat.Live.Change], mark: String?)

    var size: Int {
      switch self {
      case .connected: 0
      case .message(let event, _, _): event.data.count
      }
    }

    /// The kind of all its changes, if they have one that can be saved together; nil otherwise.
    var kind: Kind? {
      guard case .message(_, let changes, _) = self else { return nil }
      let kinds = changes.map { change -> Kind? in
        switch change {
        case .stored: .stored
        case .removed: .removed
        case .missed, .subscribed, .ended: nil
        }
      }
      return Set(kinds).count == 1 ? kinds[0] : nil
    }

    enum Kind { case stored, removed }
  }

  private struct State {
    var items: [Item] = []
    /// The items that the reader has taken together, the next one last.
    var taken: [Item] = []
    var size = 0
    var end: (any Error)?
    var arrival: Promise<Void>?
    var room: Promise<Void>?

    var count: Int { items.count + taken.count }

    mutating func take(_ most: Int) -> [Item] {
      if taken.isEmpty { (taken, items) = (items.reversed(), []) }
      var some: [Item] = []
      while let next = taken.last, some.count < most {
        guard some.isEmpty || next.kind != nil && next.kind == some[0].kind else { break }
        size -= next.size
        some.append(taken.removeLast())
      }
      return some
    }
  }

  /// A queue is full with this many items, or with this many bytes.
  private static let (most, largest) = (1000, 4 << 20)
  /// How many items the reader takes together at most.
  private static let mostTogether = 100
  private let state = Lock(State())

  /// Adds an item, and returns what wakes the reader, to be called without a lock.
  func add(_ item: Item) -> Promise<Void>? {
    state.withLock { state in
      guard state.end == nil else { return nil }
      state.items.append(item)
      state.size += item.size
      defer { state.arrival = nil }
      return state.arrival
    }
  }

  /// Ends the queue behind what waits in it, or with it if the reader was canceled.
  ///
  /// - Returns: What waits for it, to be woken without a lock.
  func end(_ error: any Error) -> [Promise<Void>] {
    state.withLock { state in
      guard state.end == nil else { return [] }
      state.end = error
      if error is CancellationError { (state.items, state.taken, state.size) = ([], [], 0) }
      defer { (state.arrival, state.room) = (nil, nil) }
      return [state.arrival, state.room].compactMap(\.self)
    }
  }

  /// Waits for the next item, and takes those of its kind that wait behind it.
  ///
  /// Saving them together costs one transaction. The next kind ends them, because a model that was
  /// removed may have been stored before or after that. It does not see that its task is canceled:
  /// whoever cancels it ends the queue.
  func next() async throws -> [Item] {
    while true {
      let arrival = Promise<Void>()
      let (items, end, room) = state.withLock { state -> ([Item], (any Error)?, Promise<Void>?) in
        let items = state.take(Self.mostTogether)
        guard !items.isEmpty else {
          if state.end == nil { state.arrival = arrival }
          return ([], state.end, nil)
        }
        guard state.count <= Self.most / 2, state.size <= Self.largest / 2 else {
          return (items, nil, nil)
        }
        defer { state.room = nil }
        return (items, nil, state.room)
      }
      room?.fulfil()
      if !items.isEmpty { return items }
      if let end { throw end }
      await arrival.value
    }
  }

  /// Returns what is fulfilled when there is room for more, or the queue has ended; nil if it is not full.
  func room() -> Promise<Void>? {
    state.withLock { state in
      guard state.end == nil, state.count >= Self.most || state.size >= Self.largest else {
        return nil
      }
      let room = Promise<Void>()
      state.room = room
      return room
    }
  }
}
