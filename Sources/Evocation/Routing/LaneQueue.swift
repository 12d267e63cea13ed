/// The jobs that wait in a lane, those that its thread took, and the owners of blocked threads.
///
/// It is a value that knows no thread and no clock. Places count the jobs of the lane: a thread
/// that has begun the first job of a batch that it took at place 7 is at place 8.
struct LaneQueue<Item: LaneItem> {
  /// What the lane has to do after a change.
  enum Need: Equatable {
    case nothing
    /// A thread has to run the lane, one that comes soon if no job blocks a thread.
    case thread(isSoon: Bool)
    /// The lane has to watch whether its thread is blocked in a job.
    case watch
  }

  /// How many threads the jobs of one owner may block.
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

  /// Returns the next jobs for the thread at this place; none if the lane is empty.
  mutating func take(at place: UInt64) -> [Item] {
    base = place
    batch = waiting
    waiting = []
    if !held.isEmpty { postpone() }
    return batch
  }

  /// Releases the thread; the next job needs another one.
  mutating func rest() {
    isRunning = false
  }

  /// Returns the job that the thread at this place runs.
  func current(at place: UInt64) -> Item? {
    place > base && place - base <= batch.count ? batch[Int(place - base) - 1] : nil
  }

  /// Returns whether a job waits for the thread at this place; only then it has to be watched.
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

  /// Records that a thread which was relieved has ended its job.
  mutating func comeBack(_ owner: ObjectIdentifier) -> Need {
    let count = held[owner, default: 1] - 1
    held[owner] = count > 0 ? count : nil
    guard let items = postponed.removeValue(forKey: owner) else { return .nothing }
    waiting = items + waiting
    return need()
  }

  /// Returns the jobs of its batch that the thread at this place has not begun.
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

  /// Postpones the jobs of owners that block as many threads as they may.
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

/// A job with an owner.
protocol LaneItem {
  var owner: ObjectIdentifier { get }
}
