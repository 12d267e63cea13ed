/// What waits in a lane, what its thread was given, and who holds threads up: a value that knows no
/// thread and no clock.
///
/// Places count the jobs of the lane: a thread that has begun the first job of a batch that it took
/// at place 7 is at place 8.
struct LaneQueue<Item: LaneItem> {
  /// What the lane has to do after a change.
  enum Need: Equatable {
    case nothing
    /// A thread has to run the lane; one that comes soon, when no job holds one up.
    case thread(isSoon: Bool)
    /// The lane has to watch whether its thread is blocked in a job.
    case watch
  }

  /// How many threads the jobs of one owner may hold up.
  static var mostHeld: Int { 64 }

  private var waiting: [Item] = []
  private var batch: [Item] = []
  private var base: UInt64 = 0
  private var isRunning = false
  private var isWatched = false
  private var held: [ObjectIdentifier: Int] = [:]
  private var postponed: [ObjectIdentifier: [Item]] = [:]

  mutating func append(_ item: Item) -> Need {
    waiting.append(item)
    return need()
  }

  /// Gives the thread at this place what it is to run next; nothing when the lane is empty.
  mutating func take(at place: UInt64) -> [Item] {
    base = place
    batch = waiting
    waiting = []
    if !held.isEmpty { postpone() }
    return batch
  }

  /// Lets the thread go; the next job needs another one.
  mutating func rest() {
    isRunning = false
  }

  /// The job that the thread at this place is in.
  func current(at place: UInt64) -> Item? {
    place > base && place - base <= batch.count ? batch[Int(place - base) - 1] : nil
  }

  /// Whether a job waits for the thread at this place; it need not be watched when none does.
  mutating func needsWatch(at place: UInt64) -> Bool {
    isWatched = isRunning && (!waiting.isEmpty || !left(at: place).isEmpty)
    return isWatched
  }

  /// Takes the lane from the thread at this place, which stays in its job.
  mutating func relieve(at place: UInt64) {
    if let owner = current(at: place)?.owner { held[owner, default: 0] += 1 }
    waiting = left(at: place) + waiting
    batch = []
  }

  /// Notes that a thread which was relieved is out of its job.
  mutating func comeBack(_ owner: ObjectIdentifier) -> Need {
    let count = held[owner, default: 1] - 1
    held[owner] = count > 0 ? count : nil
    guard let items = postponed.removeValue(forKey: owner) else { return .nothing }
    waiting = items + waiting
    return need()
  }

  /// What of its batch the thread at this place has not begun.
  private func left(at place: UInt64) -> ArraySlice<Item> {
    batch.dropFirst(Int(min(place &- base, UInt64(batch.count))))
  }

  private mutating func need() -> Need {
    guard isRunning else {
      isRunning = true
      return .thread(isSoon: held.isEmpty)
    }
    guard !isWatched else { return .nothing }
    isWatched = true
    return .watch
  }

  /// Puts aside what belongs to those who hold up as many threads as they may.
  private mutating func postpone() {
    var rest: [Item] = []
    for item in batch {
      if held[item.owner, default: 0] < Self.mostHeld {
        rest.append(item)
      } else {
        postponed[item.owner, default: []].append(item)
      }
    }
    batch = rest
  }
}

/// A job that belongs to somebody.
protocol LaneItem {
  var owner: ObjectIdentifier { get }
}
