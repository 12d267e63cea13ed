internal import Evocation

/// Who has which connection, and who waits for one: a value that knows no thread and no lock.
struct ConnectionPoolState<Item, Waiter> {
  private let capacity: Int
  private var idle: [Item] = []
  private var count = 0
  private var waiters: [Waiter] = []
  private(set) var isClosed = false
  private var drains: [Promise<Void>] = []

  /// Those that are lent for as long as one likes, beyond the capacity.
  private var apart: [Item] = []
  private var apartCount = 0

  /// Whether nothing is lent for the time being.
  private var isSuspended = false
  /// Those that are free meanwhile.
  private var resting: [Item] = []
  private var rests: [Promise<Void>] = []

  /// What the one who asked is to do.
  enum Answer {
    case lend(Item)
    case open
    case wait
    case refuse
    case suspended
  }

  /// What is to be done after the lock was released: what is released is closed, and then counted
  /// out by ``forget(_:)``.
  struct Effect {
    var served: Waiter?
    var refused: [Waiter] = []
    var released: [Item] = []
    var drained: [Promise<Void>] = []
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Lends what is free, the last used first, because its pages are still in memory.
  mutating func take() -> Answer {
    if isClosed { return .refuse }
    if isSuspended { return .suspended }
    if let item = idle.popLast() { return .lend(item) }
    guard count < capacity else { return .wait }
    count += 1
    return .open
  }

  /// Lends what is free, and opens nothing.
  mutating func takeIdle() -> Item? { idle.popLast() }

  /// Lends all that is free, in the order in which it is to be given back.
  mutating func takeAllIdle() -> [Item] {
    defer { idle = [] }
    return idle
  }

  /// The same as `take`, and queues the waiter when there is nothing to lend.
  mutating func wait(_ waiter: Waiter) -> Answer {
    let answer = take()
    if case .wait = answer { waiters.append(waiter) }
    return answer
  }

  /// Takes an item back, for the first who waits.
  mutating func giveBack(_ item: Item) -> Effect {
    if isClosed { return Effect(released: [item]) }
    if isSuspended {
      resting.append(item)
      return Effect(drained: restedNow())
    }
    guard waiters.isEmpty else { return Effect(served: waiters.removeFirst()) }
    idle.append(item)
    return Effect()
  }

  /// Forgets an item that could not be opened; those who have nothing to wait for are told.
  mutating func failToOpen() -> Effect {
    count -= 1
    guard count == 0 else { return Effect(drained: restedNow()) }
    defer { waiters = [] }
    return Effect(refused: waiters, drained: drainedNow() + restedNow())
  }

  /// Takes a waiter out; false when it is served already.
  mutating func remove(_ isWaiter: (Waiter) -> Bool) -> Bool {
    guard let index = waiters.firstIndex(where: isWaiter) else { return false }
    waiters.remove(at: index)
    return true
  }

  /// Counts one more that is opened to be lent apart; false when nothing is lent any more.
  mutating func openApart() -> Bool {
    let isLent = !isClosed && !isSuspended
    if isLent { apartCount += 1 }
    return isLent
  }

  /// Lends one apart that was opened; false when it is to be closed, as nothing is lent any more.
  mutating func lendApart(_ item: Item) -> Bool {
    let isLent = !isClosed && !isSuspended
    if isLent { apart.append(item) }
    return isLent
  }

  /// Takes back one that was lent apart, to be closed; nil when closing has taken it already.
  mutating func takeApart(_ isItem: (Item) -> Bool) -> Item? {
    apart.firstIndex(where: isItem).map { apart.remove(at: $0) }
  }

  /// Counts out one that was lent apart, or could not be opened, and is closed.
  mutating func forgetApart() -> [Promise<Void>] {
    if isClosed { return forget(1) }
    apartCount -= 1
    return restedNow()
  }

  /// Lends nothing until it is resumed; `rested` is told when nothing is lent any more.
  ///
  /// What is lent apart is released, to be closed and then counted out by ``forgetApart()``.
  mutating func suspend(_ rested: Promise<Void>) -> Effect {
    isSuspended = true
    rests.append(rested)
    resting += idle
    defer { (idle, apart, waiters) = ([], [], []) }
    return Effect(refused: waiters, released: apart, drained: restedNow())
  }

  /// Lends again; gives those who wait until nothing is lent.
  mutating func resume() -> [Promise<Void>] {
    isSuspended = false
    defer { (resting, rests) = ([], []) }
    idle += resting
    return rests
  }

  /// Lends nothing any more, and releases what is free or lent apart; `drained` is told when
  /// everything is closed.
  mutating func close(_ drained: Promise<Void>) -> Effect {
    isClosed = true
    drains.append(drained)
    count += apartCount
    apartCount = 0
    defer { (idle, resting, rests, apart, waiters) = ([], [], [], [], []) }
    return Effect(
      refused: waiters, released: idle + resting + apart, drained: drainedNow() + rests)
  }

  /// Counts out what was released and is closed now; gives those who wait for the last of them.
  mutating func forget(_ released: Int) -> [Promise<Void>] {
    count -= released
    return drainedNow()
  }

  private mutating func restedNow() -> [Promise<Void>] {
    guard isSuspended, count == resting.count, apartCount == 0 else { return [] }
    defer { rests = [] }
    return rests
  }

  private mutating func drainedNow() -> [Promise<Void>] {
    guard isClosed, count == 0 else { return [] }
    defer { drains = [] }
    return drains
  }
}
