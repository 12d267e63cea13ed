/// Who is at the head of a line and who waits, as a value.
struct WriteQueue {
  private var head: WriteLine.Ticket = 0
  private var tail: WriteLine.Ticket = 0
  private var pendingWrites: Set<WriteLine.Ticket> = []
  private var left: Set<WriteLine.Ticket> = []
  private var waiting: [WriteLine.Ticket: Promise<Bool>] = [:]

  /// Whether there are writes that are not done.
  var isWriting: Bool { !pendingWrites.isEmpty }

  mutating func enter(isWrite: Bool) -> WriteLine.Ticket {
    defer { tail += 1 }
    if isWrite { pendingWrites.insert(tail) }
    return tail
  }

  func isTurn(of ticket: WriteLine.Ticket) -> Bool {
    head == ticket
  }

  /// Remembers whom to tell; answers true when the turn is there already.
  mutating func wait(_ ticket: WriteLine.Ticket, for turn: Promise<Bool>) -> Bool {
    guard head != ticket else { return true }
    waiting[ticket] = turn
    return false
  }

  /// Passes over those who left before their turn, and answers whose turn it is now.
  mutating func leave(_ ticket: WriteLine.Ticket) -> Promise<Bool>? {
    pendingWrites.remove(ticket)
    waiting[ticket] = nil
    guard ticket == head else {
      left.insert(ticket)
      return nil
    }
    head += 1
    while left.remove(head) != nil { head += 1 }
    return waiting.removeValue(forKey: head)
  }
}
