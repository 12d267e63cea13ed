internal import Evocation

/// The lent connections and the waiting requests of a pool: a value that knows no thread and no
/// lock.
struct ConnectionPoolState<Item: Equatable, Waiter> {
  private let capacity: Int
  /// Whether items are lent for long, so that each is closed as soon as nobody wants it, and all are
  /// when the pool is suspended or closed.
  private let isForLong: Bool
  /// The items that are lent for long.
  private var lent: [Item] = []
  private var idle: [Item] = []
  /// How many items are lent, idle, or being opened.
  private var count = 0
  /// How many released items are not closed yet.
  private var closing = 0
  private var waiters: [Waiter] = []
  private(set) var isClosed = false
  private var drains: [Promise<Void>] = []

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

  init(capacity: Int, isForLong: Bool = false) {
    self.capacity = capacity
    self.isForLong = isForLong
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

  /// Records that an item was opened, and is lent; false if the pool lends nothing any more, and the
  /// caller closes it, and then counts it out.
  mutating func lend(_ item: Item) -> Bool {
    guard isForLong else { return true }
    if isClosed || isSuspended { return false }
    lent.append(item)
    return true
  }

  /// Takes an item back, for the first waiter.
  mutating func giveBack(_ item: Item) -> Effect {
    if isForLong {
      guard waiters.isEmpty else { return Effect(served: waiters.removeFirst()) }
      // Another caller may have released it already.
      guard let index = lent.firstIndex(of: item) else { return Effect() }
      return Effect(released: release([lent.remove(at: index)]))
    }
    if isClosed { return Effect(released: release([item])) }
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

  /// Lends nothing until ``resume()``.
  ///
  /// `rested` is fulfilled when nothing is lent any more.
  ///
  /// It releases the items that are lent for long.
  mutating func suspend(_ rested: Promise<Void>) -> Effect {
    isSuspended = true
    rests.append(rested)
    resting += idle
    defer { (idle, lent, waiters) = ([], [], []) }
    return Effect(refused: waiters, released: release(lent), drained: restedNow())
  }

  /// Lends again, and returns the promises that wait until nothing is lent.
  mutating func resume() -> [Promise<Void>] {
    isSuspended = false
    defer { (resting, rests) = ([], []) }
    idle += resting
    return rests
  }

  /// Lends nothing any more, and releases the items that are idle or lent for long.
  ///
  /// `drained` is fulfilled when everything is closed.
  mutating func close(_ drained: Promise<Void>) -> Effect {
    isClosed = true
    drains.append(drained)
    defer { (idle, resting, rests, lent, waiters) = ([], [], [], [], []) }
    let released = release(idle + resting + lent)
    return Effect(refused: waiters, released: released, drained: drainedNow() + rests)
  }

  /// Counts out released items that are closed now, and returns the promises that wait for the last
  /// one.
  mutating func forget(_ released: Int) -> [Promise<Void>] {
    closing -= released
    return drainedNow() + restedNow()
  }

  /// Counts items that the caller closes, in whose place others may be opened.
  private mutating func release(_ items: [Item]) -> [Item] {
    count -= items.count
    closing += items.count
    return items
  }

  private mutating func restedNow() -> [Promise<Void>] {
    guard isSuspended, count == resting.count, closing == 0 else { return [] }
    defer { rests = [] }
    return rests
  }

  private mutating func drainedNow() -> [Promise<Void>] {
    guard isClosed, count == 0, closing == 0 else { return [] }
    defer { drains = [] }
    return drains
  }
}
