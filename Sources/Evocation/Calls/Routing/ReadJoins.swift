import Synchronization

/// Equal concurrent reads of the remote, of which one asks for all.
///
/// The first read asks, in its caller's task. A read that begins while it runs waits for its
/// result. Two reads stay apart in these cases:
///
/// - A write on the model begins or ends between them, or a sign-out comes.
/// - They have another rule, or another key of the app.
/// - The asking read has a lower priority, is canceled, or has asked for too long.
/// - The asking read began before a read around the second one, and may be waiting for that read.
///
/// It knows no model, because looking up generic types for each read would cost more than the rest
/// of its work (`find, async`).
package final class ReadJoins: Sendable {
  /// The time after which other reads no longer join an asking read.
  ///
  /// Otherwise a repository that loses its answer would keep every later read waiting. Most servers
  /// have answered or given up by then.
  static let longestWait = Duration.seconds(30)

  /// The part of a read that has begun.
  enum Part: Sendable {
    /// It asks, and must report its end.
    case asks(Ticket)
    /// It takes the result of another read.
    case takes(JoinedRead)
  }

  /// The number of a read that asks: one or more, and increasing in this process.
  typealias Ticket = UInt64

  /// The facts that equal reads have in common, besides their criteria.
  struct Kind: Sendable, Equatable {
    let action: ObjectIdentifier
    let wiring: ObjectIdentifier
    /// The rule of a read that does not follow the strategy's rule.
    let rule: GivenRule?
    /// The app's key that equal reads have in common.
    let key: ByteText?
    /// Whether no caller waits for its result.
    let isBehindAnswer: Bool

    init(
      _ action: any ReadAction.Type, _ wiring: AnyObject, rule: GivenRule? = nil,
      key: String? = nil, isBehindAnswer: Bool = false
    ) {
      self.action = ObjectIdentifier(action)
      self.wiring = ObjectIdentifier(wiring)
      self.rule = rule
      self.key = key.map { ByteText($0) }
      self.isBehindAnswer = isBehindAnswer
    }
  }

  /// Further facts about a read that begins.
  struct Start: Sendable {
    /// The session in which the read was made.
    let session: Session
    /// When the read begins.
    let time: Duration
    /// The priority of its task, as a number, because the layout of a `TaskPriority` is looked up
    /// (`find, async`).
    let priority: UInt8
    /// The number of the read that it is made inside; zero outside of all reads.
    let outer: UInt64

    /// Describes a read that this task begins.
    init(in session: Session, at time: Duration) {
      self.session = session
      self.time = time
      priority = Task.currentPriority.rawValue
      outer = ReadJoins.numberAround
    }
  }

  private struct Asking {
    let ticket: Ticket
    let kind: Kind
    let criteria: Criteria
    /// The hash of the criteria, if another read was there to compare with.
    var hash: Int?
    let writes: UInt64
    let readStart: Start
    var waiting: [JoinedRead] = []

    /// Returns whether it is an equal read.
    mutating func equals(_ kind: Kind, _ criteria: Criteria, hash: Int) -> Bool {
      guard self.kind == kind else { return false }
      let own = self.hash ?? self.criteria.hashValue
      self.hash = own
      return own == hash && self.criteria == criteria
    }

    /// Returns whether a read that begins now may still take this one's result.
    ///
    /// That requires that no write and no sign-out came between them, and that this read is not too
    /// old.
    func isYoung(for other: Start, _ writes: UInt64) -> Bool {
      self.writes == writes && readStart.session === other.session
        && other.time.subtracting(readStart.time) < ReadJoins.longestWait
    }
  }

  private struct State {
    /// The asking reads, most often none.
    var asking: [Asking] = []
    /// The number of writes on the model that have begun, plus those that have ended.
    var writes: UInt64 = 0

    mutating func ask(_ kind: Kind, _ criteria: Criteria, readStart: Start) -> Ticket {
      let ticket = ReadJoins.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
      asking.append(
        Asking(
          ticket: ticket, kind: kind, criteria: criteria, writes: writes, readStart: readStart))
      return ticket
    }

    /// Returns the index of an equal read that also fulfills the condition.
    mutating func index(
      of kind: Kind, _ criteria: Criteria, where fits: (Asking) -> Bool
    ) -> Int? {
      if asking.isEmpty { return nil }
      let hash = criteria.hashValue
      return asking.indices.first { index in
        asking[index].equals(kind, criteria, hash: hash) && fits(asking[index])
      }
    }

    mutating func end(_ ticket: Ticket) -> [JoinedRead] {
      guard let index = asking.lastIndex(where: { $0.ticket == ticket }) else { return [] }
      return asking.remove(at: index).waiting
    }
  }

  /// The number of the innermost asking read around this task; zero outside of all reads.
  ///
  /// Child tasks inherit it, and all tasks that are created inside a read except detached ones. A
  /// read inside it joins only reads with a greater number, so that no reads can wait for each
  /// other.
  @TaskLocal static var numberAround: UInt64 = 0

  private static let lastNumber = Atomic<UInt64>(0)

  private let state = Lock(State())

  /// Begins a read.
  func begin(_ kind: Kind, _ criteria: Criteria, by readStart: Start) -> Part {
    state.withLock { state -> Part in
      let writes = state.writes
      let equal = state.index(of: kind, criteria) { other in
        other.isYoung(for: readStart, writes) && other.ticket > readStart.outer
          && other.readStart.priority >= readStart.priority
      }
      guard let equal else { return .asks(state.ask(kind, criteria, readStart: readStart)) }
      let joined = JoinedRead()
      state.asking[equal].waiting.append(joined)
      return .takes(joined)
    }
  }

  /// Begins a read for whose result no caller waits; nil if an equal one is under way.
  func beginAlone(_ kind: Kind, _ criteria: Criteria, by readStart: Start) -> Ticket? {
    state.withLock { state -> Ticket? in
      let writes = state.writes
      let equal = state.index(of: kind, criteria) { $0.isYoung(for: readStart, writes) }
      return equal == nil ? state.ask(kind, criteria, readStart: readStart) : nil
    }
  }

  /// Records that a write on the model begins or ends, so that later reads get another answer.
  package func recordWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// Returns how many reads wait for the result of an equal one.
  func waitingCount(_ kind: Kind, _ criteria: Criteria) -> Int {
    state.withLock { state in
      state.index(of: kind, criteria) { _ in true }.map { state.asking[$0].waiting.count } ?? 0
    }
  }

  /// Ends a read that asked, and returns the reads that wait for its result.
  func end(_ ticket: Ticket) -> [JoinedRead] {
    state.withLock { $0.end(ticket) }
  }

  /// Ends a read that is canceled; the reads that wait for its result ask for themselves.
  func leave(_ ticket: Ticket) {
    for joined in end(ticket) { joined.outcome.fulfil(.nothing) }
  }
}

/// A read that waits for the result of an equal read.
final class JoinedRead: Sendable {
  /// The result of waiting.
  enum Outcome: Sendable {
    /// The `Evocation.Result` of the equal read.
    case result(any Sendable)
    /// The equal read was canceled, which must not concern this read.
    case nothing
    /// This read is canceled.
    case cancelled
    /// The equal read takes longer than this read's rule allows.
    case late
  }

  let outcome = Promise<Outcome>()
}
