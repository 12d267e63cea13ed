/// Who has which connection, and who waits for one: a value that knows no thread and no lock.
struct ConnectionPoolState<Item, Waiter> {
  private let capacity: Int
  private var idle: [Item] = []
  private var count = 0
  private var waiters: [Waiter] = []
  private var isClosed = false
  private var drains: [Handoff<Void>] = []

  /// What the one who asked is to do.
  enum Answer {
    case lend(Item)
    case open
    case wait
    case refuse
  }

  /// What is to be done after the lock was let go: what is released closes its file.
  struct Effect {
    var served: Waiter?
    var refused: [Waiter] = []
    var released: [Item] = []
    var drained: [Handoff<Void>] = []
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Lends what is free, the last used first, because its pages are still in memory.
  mutating func take() -> Answer {
    if isClosed { return .refuse }
    if let item = idle.popLast() { return .lend(item) }
    guard count < capacity else { return .wait }
    count += 1
    return .open
  }

  /// Lends what is free, and opens nothing.
  mutating func takeIdle() -> Item? { idle.popLast() }

  /// The same as `take`, and queues the waiter when there is nothing to lend.
  mutating func wait(_ waiter: Waiter) -> Answer {
    let answer = take()
    if case .wait = answer { waiters.append(waiter) }
    return answer
  }

  /// Takes an item back, for the first who waits.
  mutating func giveBack(_ item: Item) -> Effect {
    if isClosed {
      count -= 1
      return Effect(drained: drainedNow())
    }
    guard waiters.isEmpty else { return Effect(served: waiters.removeFirst()) }
    idle.append(item)
    return Effect()
  }

  /// Forgets an item that could not be opened; those who have nothing to wait for are told.
  mutating func failToOpen() -> Effect {
    count -= 1
    guard count == 0 else { return Effect() }
    defer { waiters = [] }
    return Effect(refused: waiters, drained: drainedNow())
  }

  /// Takes a waiter out; false when it is served already.
  mutating func remove(_ isWaiter: (Waiter) -> Bool) -> Bool {
    guard let index = waiters.firstIndex(where: isWaiter) else { return false }
    waiters.remove(at: index)
    return true
  }

  /// Lends nothing any more, and lets go of what is free; `drained` is told when nothing is lent.
  mutating func close(_ drained: Handoff<Void>) -> Effect {
    isClosed = true
    drains.append(drained)
    count -= idle.count
    defer { (idle, waiters) = ([], []) }
    return Effect(refused: waiters, released: idle, drained: drainedNow())
  }

  private mutating func drainedNow() -> [Handoff<Void>] {
    guard isClosed, count == 0 else { return [] }
    defer { drains = [] }
    return drains
  }
}
