/// The order of the writes in one line, as a value.
///
/// A write waits for all earlier ones that conflict with it: a write on instances for those on the
/// same instances, and any other for all.
@usableFromInline package struct WriteQueue {
  /// A write's ticket: its place in the line.
  @usableFromInline package struct Ticket: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  private struct Place {
    let ticket: Ticket
    /// The instances that it is on; nil if no other write may run beside it.
    let instances: Set<ModelID>?
    let isWrite: Bool
    var isTurn = false
    var turn: Promise<Bool>?

    func conflicts(with other: Place) -> Bool {
      guard let instances, let others = other.instances else { return true }
      return !instances.isDisjoint(with: others)
    }
  }

  /// The tickets that have not ended yet, in their order.
  private var places: [Place] = []
  private var lastNumber: UInt64 = 0
  private var writes = 0

  /// The number of tickets that have not ended yet.
  var placeCount: Int { places.count }

  /// Whether there are unfinished writes.
  var isWriting: Bool { writes > 0 }

  /// Takes the next place, alone.
  mutating func enter(isWrite: Bool) -> Ticket { enter(nil, isWrite: isWrite) }

  /// Takes the next place, for a change of the outbox on these instances.
  mutating func enter(on instances: [ModelID]) -> Ticket {
    enter(Set(instances), isWrite: false)
  }

  private mutating func enter(_ instances: Set<ModelID>?, isWrite: Bool) -> Ticket {
    lastNumber += 1
    if isWrite { writes += 1 }
    let ticket = Ticket(number: lastNumber)
    places.append(Place(ticket: ticket, instances: instances, isWrite: isWrite))
    places[places.count - 1].isTurn = isFirst(at: places.count - 1)
    return ticket
  }

  func isTurn(of ticket: Ticket) -> Bool { index(of: ticket).map { places[$0].isTurn } ?? false }

  /// Stores the promise of a ticket's turn, and returns whether the turn has already come.
  mutating func wait(_ ticket: Ticket, for turn: Promise<Bool>) -> Bool {
    guard let index = index(of: ticket), !places[index].isTurn else { return true }
    places[index].turn = turn
    return false
  }

  /// Ends a ticket, whether its turn came or not, and returns the promises to fulfill now.
  mutating func leave(_ ticket: Ticket) -> [Promise<Bool>] {
    guard let index = index(of: ticket) else { return [] }
    let left = places.remove(at: index)
    if left.isWrite { writes -= 1 }
    var turns: [Promise<Bool>] = []
    for index in index..<places.count {
      let place = places[index]
      if !place.isTurn, place.conflicts(with: left), isFirst(at: index) {
        places[index].isTurn = true
        if let turn = place.turn { turns.append(turn) }
      }
      // Nothing passes a write that runs alone.
      if place.instances == nil { break }
    }
    return turns
  }

  private func index(of ticket: Ticket) -> Int? {
    places.index(of: ticket.number) { $0.ticket.number }
  }

  /// Whether no earlier place conflicts with this one.
  private func isFirst(at index: Int) -> Bool {
    places[..<index].allSatisfy { !$0.conflicts(with: places[index]) }
  }
}
