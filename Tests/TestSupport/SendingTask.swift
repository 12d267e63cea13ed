/// A note that says which write it is of.
package struct NumberedNote: Codable, Identifiable, Sendable, Equatable {
  package let id: Int
  /// The number of the write, higher than those of all earlier writes on the note.
  package let number: Int
  /// A text that follows from the number, so that a torn one is noticed.
  package let text: String

  package init(id: Int, number: Int) {
    self.id = id
    self.number = number
    text = Self.text(number)
  }

  /// Whether the note is as it was made.
  package var isWhole: Bool { text == Self.text(number) }

  private static func text(_ number: Int) -> String {
    String(repeating: "x", count: number % 50 * 37)
  }
}

/// What a process is told that writes notes by the outbox and sends them.
///
/// It says a line when a write begins (`begins 7 writes 1,2`, or `removes`), and one when the write is
/// answered (`ends 7`). Without writes, it sends what is there and says how many entries are parked
/// (`sent all but 0`).
package struct SendingTask: Codable, Sendable {
  /// Where the process stops until it is killed, and at which passage.
  package struct Stop: Codable, Sendable {
    package let boundary: Boundary
    package let passage: Int

    package init(_ boundary: Boundary, passage: Int) {
      self.boundary = boundary
      self.passage = passage
    }
  }

  /// The port of the service on this machine.
  package let port: UInt16
  package let seed: UInt64
  /// The notes that it writes.
  package let ids: ClosedRange<Int>
  /// The number of its first write; nil to write nothing.
  package let firstNumber: Int?
  /// How long a lease lasts, in milliseconds.
  package let lease: Int
  package let stop: Stop?

  package init(
    port: UInt16, seed: UInt64, ids: ClosedRange<Int>, firstNumber: Int?, lease: Int = 100,
    stop: Stop? = nil
  ) {
    self.port = port
    self.seed = seed
    self.ids = ids
    self.firstNumber = firstNumber
    self.lease = lease
    self.stop = stop
  }
}

/// Where a process that writes and sends is killed.
package enum Boundary: String, Codable, Sendable, CaseIterable {
  // A write and its entry.
  case beforeCommit = "before the commit"
  case inCommit = "in the middle of the commit"
  case afterCommit = "after the commit"
  // That an entry is about to be sent, and by whom.
  case beforeClaim = "before the claim"
  case inClaim = "in the middle of the claim"
  case afterClaim = "after the claim"
  case beforeSending = "before sending"
  // The service's.
  case inRequest = "in the middle of the request"
  case beforeActing = "before the service acted"
  case afterActing = "after the service acted"
  case inAnswer = "in the middle of the answer"
  // That the service has taken an entry.
  case beforeAcknowledgement = "before the acknowledgement is kept"
  case inAcknowledgement = "in the middle of keeping the acknowledgement"
  case afterAcknowledgement = "after the acknowledgement is kept"

  /// Whether the service says when it is reached.
  package var isService: Bool {
    switch self {
    case .inRequest, .beforeActing, .afterActing, .inAnswer: true
    case .beforeCommit, .inCommit, .afterCommit, .beforeClaim, .inClaim, .afterClaim,
      .beforeSending, .beforeAcknowledgement, .inAcknowledgement, .afterAcknowledgement:
      false
    }
  }
}
