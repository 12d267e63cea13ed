/// Equal reads of the remote that are under way at the same time, of which one asks for all.
///
/// The first one asks where its caller is, at next to no cost; who comes while it is under way waits
/// for its result. A write on the model that begins between them keeps them apart, and so does being
/// inside the read that asks, which would wait for itself.
///
/// It knows no model, because to look generic types up for each read would cost more than the rest of
/// its way (`find, async`).
final class ReadJoins: Sendable {
  /// What a read does that has begun.
  enum Part: Sendable {
    /// It asks, and says so when it has ended.
    case asks(Ticket)
    /// It takes what another one gets.
    case takes(JoinedRead)
  }

  /// The number of a read that asks.
  typealias Ticket = UInt64

  /// What reads have in common, beside their criteria, to be equal.
  struct Kind: Sendable, Equatable {
    let action: ObjectIdentifier
    let wiring: ObjectIdentifier
    /// Whether nobody waits for its result.
    let isBehindAnswer: Bool

    init(_ action: any ReadAction.Type, _ wiring: AnyObject, isBehindAnswer: Bool = false) {
      self.action = ObjectIdentifier(action)
      self.wiring = ObjectIdentifier(wiring)
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
    /// The hash of the criteria, once another read was compared with it.
    var hash: Int?
    var waiting: [JoinedRead] = []
  }

  private struct State {
    var asking: [Asking] = []
    var last: Ticket = 0
    /// How many writes on the model have begun.
    var writes: UInt64 = 0

    mutating func ask(_ kind: Kind, _ criteria: Criteria, task: UInt) -> Ticket {
      last += 1
      asking.append(
        Asking(ticket: last, kind: kind, criteria: criteria, writes: writes, task: task))
      return last
    }

    /// Where an equal read is that the condition fits too.
    mutating func firstIndex(
      _ kind: Kind, _ criteria: Criteria, where fits: (Asking) -> Bool
    ) -> Int? {
      guard !asking.isEmpty else { return nil }
      let hash = criteria.hashValue
      return asking.indices.first { index in
        guard asking[index].kind == kind else { return false }
        let other = asking[index].hash ?? asking[index].criteria.hashValue
        asking[index].hash = other
        return other == hash && fits(asking[index]) && asking[index].criteria == criteria
      }
    }
  }

  private let state = Lock(State())

  /// Begins a read.
  func begin(_ kind: Kind, _ criteria: Criteria) -> Part {
    let task = Self.currentTask
    return state.withLock { state -> Part in
      let writes = state.writes
      let equal = state.firstIndex(kind, criteria) { $0.writes == writes && $0.task != task }
      guard let equal else { return .asks(state.ask(kind, criteria, task: task)) }
      let joined = JoinedRead()
      state.asking[equal].waiting.append(joined)
      return .takes(joined)
    }
  }

  /// Begins a read for whose result nobody waits; nil where an equal one is under way.
  func beginAlone(_ kind: Kind, _ criteria: Criteria) -> Ticket? {
    state.withLock { state in
      let equal = state.firstIndex(kind, criteria) { _ in true }
      return equal == nil ? state.ask(kind, criteria, task: 0) : nil
    }
  }

  /// A write on the model begins: what is asked for after it is another answer.
  func noteWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// How many wait for the result of an equal read.
  func waitingCount(_ kind: Kind, _ criteria: Criteria) -> Int {
    state.withLock { state in
      let index = state.firstIndex(kind, criteria) { _ in true }
      return index.map { state.asking[$0].waiting.count } ?? 0
    }
  }

  /// Ends a read that asked; gives those who wait for its result.
  func end(_ ticket: Ticket) -> [JoinedRead] {
    state.withLock { state in
      guard let index = state.asking.firstIndex(where: { $0.ticket == ticket }) else { return [] }
      let waiting = state.asking[index].waiting
      if index < state.asking.count - 1 { state.asking.swapAt(index, state.asking.count - 1) }
      state.asking.removeLast()
      return waiting
    }
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
