internal import Evocation

/// The lent connections and the waiting requests of a pool: a value that knows no thread and no
/// lock.
struct ConnectionPoolState<Item, Waiter> {
  private let capacity: Int
  private var idle: [Item] = []
  private var count = 0
  private var waiters: [Waiter] = []
  private(set) var isClosed = false
  private var drains: [Promise<Void>] = []

  /// Connections that are lent for an unlimited time, beyond the capacity.
  private var apart: [Item] = []
  private var apartCount = 0

  /// Whether the pool currently lends nothing.
  private var isSuspended = false
  /// The connections that are idle while the pool is suspended.
  private var resting: [Item] = []
  private var rests: [Promise<Void>] = []

  /// What the requester has to do.
  enum Answer {
    case lend(Item)
    case open
    case wait
    case refuse
    case suspended
  }

  /// What to do after the lock is released.
  ///
  /// The caller closes the `released` items, and then counts them out with ``forget(_:)``.
  struct Effect {
    var served: Waiter?
    var refused: [Waiter] = []
    var released: [Item] = []
    var drained: [Promise<Void>] = []
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Lends an idle item, the last used first, because its pages are still in memory.
  mutating func take() -> Answer {
    if isClosed { return .refuse }
    if isSuspended { return .suspended }
    if let item = idle.popLast() { return .lend(item) }
    guard count < capacity else { return .wait }
    count += 1
    return .open
  }

  /// Lends an idle item, and opens nothing.
  mutating func takeIdle() -> Item? { idle.popLast() }

  /// Does the same as `take`, and queues the waiter if there is nothing to lend.
  mutating func wait(_ waiter: Waiter) -> Answer {
    let answer = take()
    if case .wait = answer { waiters.append(waiter) }
    return answer
  }

  /// Takes an item back, for the first waiter.
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

  /// Forgets an item that could not be opened.
  ///
  /// Without any other item, it refuses all waiters.
  mutating func failToOpen() -> Effect {
    count -= 1
    guard count == 0 else { return Effect(drained: restedNow()) }
    defer { waiters = [] }
    return Effect(refused: waiters, drained: drainedNow() + restedNow())
  }

  /// Removes a waiter; false if it is already served.
  mutating func remove(_ isWaiter: (Waiter) -> Bool) -> Bool {
    guard let index = waiters.firstIndex(where: isWaiter) else { return false }
    waiters.remove(at: index)
    return true
  }

  /// Counts one more item to be lent apart; false if the pool lends nothing any more.
  mutating func openApart() -> Bool {
    let isLent = !isClosed && !isSuspended
    if isLent { apartCount += 1 }
    return isLent
  }

  /// Lends an opened item apart; false if the pool lends nothing any more, and the caller closes
  /// it.
  mutating func lendApart(_ item: Item) -> Bool {
    let isLent = !isClosed && !isSuspended
    if isLent { apart.append(item) }
    return isLent
  }

  /// Takes back an item that was lent apart, to be closed; nil if closing has already taken it.
  mutating func takeApart(_ isItem: (Item) -> Bool) -> Item? {
    apart.firstIndex(where: isItem).map { apart.remove(at: $0) }
  }

  /// Counts out an item that was lent apart, or could not be opened, and is closed.
  mutating func forgetApart() -> [Promise<Void>] {
    if isClosed { return forget(1) }
    apartCount -= 1
    return restedNow()
  }

  /// Lends nothing until ``resume()``.
  ///
  /// `rested` is fulfilled when nothing is lent any more.
  ///
  /// It releases the items that are lent apart. The caller closes them, and then counts them out
  /// with ``forgetApart()``.
  mutating func suspend(_ rested: Promise<Void>) -> Effect {
    isSuspended = true
    rests.append(rested)
    resting += idle
    defer { (idle, apart, waiters) = ([], [], []) }
    return Effect(refused: waiters, released: apart, drained: restedNow())
  }

  /// Lends again, and returns the promises that wait until nothing is lent.
  mutating func resume() -> [Promise<Void>] {
    isSuspended = false
    defer { (resting, rests) = ([], []) }
    idle += resting
    return rests
  }

  /// Lends nothing any more, and releases the items that are idle or lent apart.
  ///
  /// `drained` is fulfilled when everything is closed.
  mutating func close(_ drained: Promise<Void>) -> Effect {
    isClosed = true
    drains.append(drained)
    count += apartCount
    apartCount = 0
    defer { (idle, resting, rests, apart, waiters) = ([], [], [], [], []) }
    return Effect(
      refused: waiters, released: idle + resting + apart, drained: drainedNow() + rests)
  }

  /// Counts out released items that are closed now, and returns the promises that wait for the last
  /// one.
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
