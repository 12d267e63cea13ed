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
  private var isClosed = false
  private var isSuspended = false
  /// The items that are idle while the pool is suspended.
  private var resting: [Item] = []
  /// Fulfilled when the pool is closed or suspended, and nothing is lent any more.
  private var ends: [Promise<Void>] = []

  /// Why the pool lends nothing; nil if it lends.
  private var refusal: SQLiteError? { isClosed ? .closed : isSuspended ? .suspended : nil }

  /// What the requester has to do.
  enum Answer {
    case lend(Item)
    case open
    case wait
    case refuse(SQLiteError)
  }

  /// What to do after the lock is released.
  ///
  /// The caller closes the `released` items, and then counts out each with ``forget()``.
  struct Effect {
    var served: Waiter?
    var refused: [Waiter] = []
    var released: [Item] = []
    var ended: [Promise<Void>] = []
  }

  init(capacity: Int, isForLong: Bool = false) {
    self.capacity = capacity
    self.isForLong = isForLong
  }

  /// Lends an idle item, the last used first, because its pages are still in memory.
  mutating func take() -> Answer {
    if let refusal { return .refuse(refusal) }
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

  /// Records that an item was opened, and is lent; or returns why nothing is lent for long any more,
  /// and the caller closes it, and calls ``failToOpen()``.
  mutating func lend(_ item: Item) -> SQLiteError? {
    guard isForLong else { return nil }
    if refusal == nil { lent.append(item) }
    return refusal
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
      return Effect(ended: endedNow())
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
    guard count == 0 else { return Effect(ended: endedNow()) }
    defer { waiters = [] }
    return Effect(refused: waiters, ended: endedNow())
  }

  /// Removes a waiter; false if it is already served.
  mutating func remove(_ isWaiter: (Waiter) -> Bool) -> Bool {
    guard let index = waiters.firstIndex(where: isWaiter) else { return false }
    waiters.remove(at: index)
    return true
  }

  /// Lends nothing until ``resume()``, and releases the items that are lent for long.
  ///
  /// `rested` is fulfilled when nothing is lent any more.
  mutating func suspend(_ rested: Promise<Void>) -> Effect {
    isSuspended = true
    ends.append(rested)
    resting += idle
    defer { (idle, lent, waiters) = ([], [], []) }
    return Effect(refused: waiters, released: release(lent), ended: endedNow())
  }

  /// Lends again, and returns the promises that wait until nothing is lent.
  mutating func resume() -> [Promise<Void>] {
    isSuspended = false
    guard !isClosed else { return [] }
    defer { (resting, ends) = ([], []) }
    idle += resting
    return ends
  }

  /// Lends nothing any more, and releases the items that are idle or lent for long.
  ///
  /// `drained` is fulfilled when everything is closed.
  mutating func close(_ drained: Promise<Void>) -> Effect {
    isClosed = true
    ends.append(drained)
    let (released, refused) = (release(idle + resting + lent), waiters)
    (idle, resting, lent, waiters) = ([], [], [], [])
    return Effect(refused: refused, released: released, ended: endedNow())
  }

  /// Counts out a released item that is closed now, and returns the promises that wait for it.
  mutating func forget() -> [Promise<Void>] {
    closing -= 1
    return endedNow()
  }

  /// Counts items that the caller closes, in whose place others may be opened.
  private mutating func release(_ items: [Item]) -> [Item] {
    count -= items.count
    closing += items.count
    return items
  }

  private mutating func endedNow() -> [Promise<Void>] {
    guard refusal != nil, count == resting.count, closing == 0 else { return [] }
    defer { ends = [] }
    return ends
  }
}
