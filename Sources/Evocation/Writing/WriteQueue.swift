/// The order of the writes in one line, as a value.
///
/// The line has positions, one after another. Most positions belong to one write. Consecutive
/// writes on instances share a position, and wait for each other there only if they are on the same
/// instance.
struct WriteQueue {
  /// A write's ticket: its position in the line.
  struct Ticket: Sendable, Hashable {
    fileprivate let position: UInt64
    /// The number among those that share the position; zero for a position of its own.
    fileprivate let number: UInt64
    fileprivate let isWrite: Bool
  }

  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private var writes = 0
  /// The number of tickets that have not ended yet.
  private(set) var placeCount = 0
  /// The positions that were left before their turn.
  private var left: Set<UInt64> = []
  private var waiting: [UInt64: Promise<Bool>] = [:]
  /// The positions that are shared.
  private var lanes: [UInt64: InstanceLanes] = [:]

  /// Whether there are unfinished writes.
  var isWriting: Bool { writes > 0 }

  /// Takes the next position alone.
  mutating func enter(isWrite: Bool) -> Ticket {
    defer { tail += 1 }
    placeCount += 1
    if isWrite { writes += 1 }
    return Ticket(position: tail, number: 0, isWrite: isWrite)
  }

  /// Takes a ticket for a write on these instances, in the last position if that is shared.
  mutating func enter(on instances: [ModelID], isWrite: Bool = true) -> Ticket {
    placeCount += 1
    if isWrite { writes += 1 }
    if tail == 0 || lanes[tail - 1] == nil { tail += 1 }
    let number = lanes[tail - 1, default: InstanceLanes()].enter(on: instances)
    return Ticket(position: tail - 1, number: number, isWrite: isWrite)
  }

  func isTurn(of ticket: Ticket) -> Bool {
    guard head == ticket.position else { return false }
    return ticket.number == 0 || lanes[head]?.isTurn(of: ticket.number) ?? true
  }

  /// Stores the promise of a ticket's turn, and returns whether the turn has already come.
  mutating func wait(_ ticket: Ticket, for turn: Promise<Bool>) -> Bool {
    if isTurn(of: ticket) { return true }
    if ticket.number == 0 {
      waiting[ticket.position] = turn
    } else {
      lanes[ticket.position]?.wait(ticket.number, for: turn)
    }
    return false
  }

  /// Ends a ticket, whether its turn came or not, and returns the promises to fulfill now.
  mutating func leave(_ ticket: Ticket) -> (next: Promise<Bool>?, others: [Promise<Bool>]) {
    placeCount -= 1
    if ticket.isWrite { writes -= 1 }
    guard ticket.number > 0 else {
      waiting[ticket.position] = nil
      return end(ticket.position)
    }
    let freed = lanes[ticket.position]?.leave(ticket.number) ?? []
    if lanes[ticket.position]?.isEmpty ?? true {
      lanes[ticket.position] = nil
      return end(ticket.position)
    }
    guard head == ticket.position else { return (nil, []) }
    return (nil, freed.compactMap { lanes[ticket.position]?.begin($0) })
  }

  /// Ends a position, and skips those that were left before their turn.
  private mutating func end(
    _ position: UInt64
  ) -> (next: Promise<Bool>?, others: [Promise<Bool>]) {
    guard position == head else {
      left.insert(position)
      return (nil, [])
    }
    head += 1
    while left.remove(head) != nil { head += 1 }
    let next = waiting.removeValue(forKey: head)
    return (next, lanes.isEmpty ? [] : lanes[head]?.beginAll() ?? [])
  }
}

/// Writes on instances that share a position, in the order of their calls.
private struct InstanceLanes {
  private struct Member {
    let instances: Set<ModelID>
    var waiting: Promise<Bool>?
  }

  private var members: [UInt64: Member] = [:]
  /// The writes on each instance, the first one first.
  private var queues: [ModelID: [UInt64]] = [:]
  private var last: UInt64 = 0

  var isEmpty: Bool { members.isEmpty }

  mutating func enter(on instances: [ModelID]) -> UInt64 {
    last += 1
    let member = Member(instances: Set(instances))
    members[last] = member
    for instance in member.instances { queues[instance, default: []].append(last) }
    return last
  }

  /// Whether no earlier write is on any of its instances.
  func isTurn(of number: UInt64) -> Bool {
    members[number]?.instances.allSatisfy { queues[$0]?.first == number } ?? true
  }

  mutating func wait(_ number: UInt64, for turn: Promise<Bool>) {
    members[number]?.waiting = turn
  }

  /// Removes a write, and returns the writes that are now first on one of its instances.
  mutating func leave(_ number: UInt64) -> Set<UInt64> {
    guard let member = members.removeValue(forKey: number) else { return [] }
    var next: Set<UInt64> = []
    for instance in member.instances {
      queues[instance]?.removeAll { $0 == number }
      if let first = queues[instance]?.first { next.insert(first) } else { queues[instance] = nil }
    }
    return next
  }

  /// Returns the promise of a write whose turn it is; nil if it is not, or if nothing waits for it.
  mutating func begin(_ number: UInt64) -> Promise<Bool>? {
    guard isTurn(of: number) else { return nil }
    defer { members[number]?.waiting = nil }
    return members[number]?.waiting
  }

  /// Returns the promises to fulfill when the position's turn comes.
  mutating func beginAll() -> [Promise<Bool>] {
    members.keys.sorted().compactMap { begin($0) }
  }
}
