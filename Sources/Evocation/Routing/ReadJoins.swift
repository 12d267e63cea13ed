/// Equal reads of the remote that are under way at the same time, of which one asks for all.
///
/// The first one asks on its caller's task; a read that begins meanwhile waits for its result. A write
/// on the model that begins between them keeps them apart, and so do another rule, and being inside the
/// read that asks, which would wait for itself.
///
/// It knows no model, because to look generic types up for each read would cost more than the rest of
/// its way (`find, async`).
final class ReadJoins: Sendable {
  /// What a read does that has begun.
  enum Part: Sendable {
    /// It asks, and has to say when it has ended.
    case asks(Ticket)
    /// It takes the result of another one.
    case takes(JoinedRead)
  }

  /// A read that asks: its number, and the hash of its criteria.
  struct Ticket: Sendable, Equatable {
    fileprivate let number: UInt64
    fileprivate let hash: Int
  }

  /// What reads have in common, beside their criteria, to be equal.
  struct Kind: Sendable, Equatable {
    let action: ObjectIdentifier
    let wiring: ObjectIdentifier
    /// The rule of a read that does not follow the strategy's.
    let rule: GivenRule?
    /// Whether no caller waits for its result.
    let isBehindAnswer: Bool

    init(
      _ action: any ReadAction.Type, _ wiring: AnyObject, rule: GivenRule? = nil,
      isBehindAnswer: Bool = false
    ) {
      self.action = ObjectIdentifier(action)
      self.wiring = ObjectIdentifier(wiring)
      self.rule = rule
      self.isBehindAnswer = isBehindAnswer
    }
  }

  private struct Asking {
    let ticket: Ticket
    let kind: Kind
    let criteria: Criteria
    let writes: UInt64
    /// The task that asks; zero where it is no one's.
    let task: UInt
    var waiting: [JoinedRead] = []
  }

  private struct State {
    /// By the hashes of their criteria, in a few lists: most often there is one read in all of them.
    private var asking = [[Asking]](repeating: [], count: 64)
    private var last: UInt64 = 0
    /// How many writes on the model have begun.
    var writes: UInt64 = 0

    mutating func ask(_ kind: Kind, _ criteria: Criteria, _ hash: Int, task: UInt) -> Ticket {
      last += 1
      let ticket = Ticket(number: last, hash: hash)
      asking[list(of: hash)].append(
        Asking(ticket: ticket, kind: kind, criteria: criteria, writes: writes, task: task))
      return ticket
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

  private let state = Lock(State())

  /// Begins a read.
  func begin(_ kind: Kind, _ criteria: Criteria) -> Part {
    let (hash, task) = (Self.hash(criteria), Self.currentTask)
    return state.withLock { state -> Part in
      let writes = state.writes
      let equal = state.first(kind, criteria, hash) { $0.writes == writes && $0.task != task }
      guard let equal else { return .asks(state.ask(kind, criteria, hash, task: task)) }
      let joined = JoinedRead()
      state.wait(for: equal.ticket, joined)
      return .takes(joined)
    }
  }

  /// Begins a read for whose result no caller waits; nil where an equal one is under way.
  func beginAlone(_ kind: Kind, _ criteria: Criteria) -> Ticket? {
    let hash = Self.hash(criteria)
    return state.withLock { state in
      let equal = state.first(kind, criteria, hash) { _ in true }
      return equal == nil ? state.ask(kind, criteria, hash, task: 0) : nil
    }
  }

  /// A write on the model begins: what is asked for after it is another answer.
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

  private static func hash(_ criteria: Criteria) -> Int {
    criteria.isEverything ? 0 : criteria.hashValue
  }

  /// What tells the present task from all others that run.
  ///
  /// The bits of its address, because its `hashValue` alone costs a tenth of a read.
  private static var currentTask: UInt {
    guard MemoryLayout<UnsafeCurrentTask?>.size == MemoryLayout<UInt>.size else { return 0 }
    return withUnsafeCurrentTask { unsafeBitCast($0, to: UInt.self) }
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
  }

  let outcome = Promise<Outcome>()
}
