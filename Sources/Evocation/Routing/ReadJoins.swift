import Synchronization

/// Equal reads of the remote that are under way at the same time, of which one asks for all.
///
/// The first one asks on its caller's task; a read that begins meanwhile waits for its result. These
/// keep two reads apart:
///
/// - a write on the model that begins or ends between them, and a sign-out
/// - another rule, and another key of the app's
/// - that the one who asks has a lower priority, is cancelled, or has asked for too long
/// - that the one who asks began before a read that the other one is inside: it may wait for that.
///
/// It knows no model, because to look generic types up for each read would cost more than the rest of
/// its way (`find, async`).
final class ReadJoins: Sendable {
  /// After so long a read that asks is not joined any more.
  ///
  /// A repository that loses its answer would else keep every later read waiting for it; most services
  /// have answered by then, or given up.
  static let longestWait = Duration.seconds(30)

  /// What a read does that has begun.
  enum Part: Sendable {
    /// It asks, and has to say when it has ended.
    case asks(Ticket)
    /// It takes the result of another one.
    case takes(JoinedRead)
  }

  /// A read that asks: its number, and the hash of its criteria.
  struct Ticket: Sendable, Equatable {
    /// Numbers begin with one, and grow with each read of this process that asks.
    let number: UInt64
    fileprivate let hash: Int
  }

  /// What reads have in common, beside their criteria, to be equal.
  struct Kind: Sendable, Equatable {
    let action: ObjectIdentifier
    let wiring: ObjectIdentifier
    /// The rule of a read that does not follow the strategy's.
    let rule: GivenRule?
    /// What the app wants reads to have in common.
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

  /// What else there is to say of a read that begins.
  struct Beginning: Sendable {
    /// How often somebody had signed out when it was made.
    let signOuts: UInt64
    /// When it begins.
    let time: Duration
    /// The priority of its task.
    let priority: TaskPriority
    /// The number of the read that it is made inside; zero outside of all.
    let outer: UInt64

    /// Describes a read that this task begins.
    init(signOuts: UInt64, at time: Duration) {
      self.signOuts = signOuts
      self.time = time
      priority = Task.currentPriority
      outer = ReadJoins.numberAround
    }
  }

  private struct Asking {
    let ticket: Ticket
    let kind: Kind
    let criteria: Criteria
    let writes: UInt64
    let beginning: Beginning
    var waiting: [JoinedRead] = []

    /// Whether nothing came between it and a read that begins now, and it is not too old for that one.
    func isYoung(for other: Beginning, _ writes: UInt64) -> Bool {
      self.writes == writes && beginning.signOuts == other.signOuts
        && other.time.subtracting(beginning.time) < ReadJoins.longestWait
    }
  }

  private struct State {
    /// By the hashes of their criteria, in a few lists: most often there is one read in all of them.
    private var asking = [[Asking]](repeating: [], count: 64)
    /// How many writes on the model have begun, and how many have ended.
    var writes: UInt64 = 0

    mutating func ask(
      _ ticket: Ticket, _ kind: Kind, _ criteria: Criteria, _ beginning: Beginning
    ) {
      asking[list(of: ticket.hash)].append(
        Asking(
          ticket: ticket, kind: kind, criteria: criteria, writes: writes, beginning: beginning))
    }

    /// An equal read that the condition fits too.
    func first(
      _ kind: Kind, _ criteria: Criteria, _ hash: Int, where fits: (Asking) -> Bool
    ) -> Asking? {
      asking[list(of: hash)].first { other in
        other.ticket.hash == hash && other.kind == kind && fits(other)
          && other.criteria == criteria
      }
    }

    mutating func wait(for ticket: Ticket, _ joined: JoinedRead) {
      let list = list(of: ticket.hash)
      guard let index = asking[list].firstIndex(where: { $0.ticket == ticket }) else { return }
      asking[list][index].waiting.append(joined)
    }

    mutating func end(_ ticket: Ticket) -> [JoinedRead] {
      let list = list(of: ticket.hash)
      guard let index = asking[list].firstIndex(where: { $0.ticket == ticket }) else { return [] }
      let waiting = asking[list][index].waiting
      asking[list].remove(at: index)
      return waiting
    }

    private func list(of hash: Int) -> Int { hash & (asking.count - 1) }
  }

  /// The number of the innermost read around this task that asks; zero outside of all.
  ///
  /// It goes with child tasks, and with every task that is made inside a read but detached ones. A read
  /// inside it joins only those with a greater number, so that no reads can wait for each other.
  @TaskLocal static var numberAround: UInt64 = 0

  private static let lastNumber = Atomic<UInt64>(0)

  private let state = Lock(State())

  /// Begins a read.
  func begin(_ kind: Kind, _ criteria: Criteria, by beginning: Beginning) -> Part {
    let hash = Self.hash(criteria)
    return state.withLock { state -> Part in
      let writes = state.writes
      let equal = state.first(kind, criteria, hash) { other in
        other.isYoung(for: beginning, writes) && other.ticket.number > beginning.outer
          && other.beginning.priority >= beginning.priority
      }
      guard let equal else {
        let ticket = Self.ticket(hash)
        state.ask(ticket, kind, criteria, beginning)
        return .asks(ticket)
      }
      let joined = JoinedRead()
      state.wait(for: equal.ticket, joined)
      return .takes(joined)
    }
  }

  /// Begins a read for whose result no caller waits; nil where an equal one is under way.
  func beginAlone(_ kind: Kind, _ criteria: Criteria, by beginning: Beginning) -> Ticket? {
    let hash = Self.hash(criteria)
    return state.withLock { state -> Ticket? in
      let writes = state.writes
      let equal = state.first(kind, criteria, hash) { $0.isYoung(for: beginning, writes) }
      guard equal == nil else { return nil }
      let ticket = Self.ticket(hash)
      state.ask(ticket, kind, criteria, beginning)
      return ticket
    }
  }

  /// A write on the model begins or ends: what is asked for after it is another answer.
  func noteWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// How many wait for the result of an equal read.
  func waitingCount(_ kind: Kind, _ criteria: Criteria) -> Int {
    let hash = Self.hash(criteria)
    return state.withLock { $0.first(kind, criteria, hash) { _ in true }?.waiting.count ?? 0 }
  }

  /// Ends a read that asked, and gives the reads that wait for its result.
  func end(_ ticket: Ticket) -> [JoinedRead] {
    state.withLock { $0.end(ticket) }
  }

  /// Ends a read that is cancelled: those that wait for its result ask for themselves.
  func leave(_ ticket: Ticket) {
    for joined in end(ticket) { joined.outcome.fulfil(.nothing) }
  }

  private static func ticket(_ hash: Int) -> Ticket {
    Ticket(number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, hash: hash)
  }

  private static func hash(_ criteria: Criteria) -> Int {
    criteria.isEverything ? 0 : criteria.hashValue
  }
}

/// A read that waits for the result of an equal one.
final class JoinedRead: Sendable {
  /// What came of it.
  enum Outcome: Sendable {
    /// The other one's `Evocation.Result`.
    case result(any Sendable)
    /// The other one was cancelled, which is not to concern this one.
    case nothing
    /// This one is cancelled.
    case cancelled
    /// The other one takes longer than this one's rule allows.
    case late
  }

  let outcome = Promise<Outcome>()
}
