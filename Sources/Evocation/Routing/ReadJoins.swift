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

  /// A read that asks.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let key: Int
  }

  private struct Asking {
    let number: UInt64
    let call: String
    let criteria: Criteria
    let wiring: ObjectIdentifier
    let writes: UInt64
    let task: Int
    var waiting: [JoinedRead] = []
  }

  private struct State {
    /// By the hashes of their criteria.
    var asking: [Int: [Asking]] = [:]
    var lastNumber: UInt64 = 0
    /// How many writes on the model have begun.
    var writes: UInt64 = 0

    mutating func ask(
      _ key: Int, _ call: String, _ criteria: Criteria, _ wiring: ObjectIdentifier, task: Int
    ) -> Ticket {
      lastNumber += 1
      let asking = Asking(
        number: lastNumber, call: call, criteria: criteria, wiring: wiring, writes: writes,
        task: task)
      self.asking[key, default: []].append(asking)
      return Ticket(number: lastNumber, key: key)
    }
  }

  private let state = Lock(State())

  /// Begins a read through a wiring.
  func begin(_ call: String, _ criteria: Criteria, _ wiring: ObjectIdentifier) -> Part {
    let (key, task) = (Self.key(criteria), withUnsafeCurrentTask { $0?.hashValue ?? 0 })
    return state.withLock { state -> Part in
      let equal = state.asking[key]?.firstIndex { other in
        other.writes == state.writes && other.wiring == wiring && other.task != task
          && other.call == call && other.criteria == criteria
      }
      guard let equal else { return .asks(state.ask(key, call, criteria, wiring, task: task)) }
      let joined = JoinedRead()
      state.asking[key]?[equal].waiting.append(joined)
      return .takes(joined)
    }
  }

  /// Begins a read for whose result nobody waits; nil where an equal one is under way.
  func beginAlone(_ call: String, _ criteria: Criteria, _ wiring: ObjectIdentifier) -> Ticket? {
    let key = Self.key(criteria)
    return state.withLock { state in
      let isUnderWay = state.asking[key]?.contains { other in
        other.wiring == wiring && other.call == call && other.criteria == criteria
      }
      return isUnderWay == true ? nil : state.ask(key, call, criteria, wiring, task: 0)
    }
  }

  /// A write on the model begins: what is asked for after it is another answer.
  func noteWrite() {
    state.withLock { $0.writes += 1 }
  }

  /// How many wait for the result of an equal read.
  func waitingCount(_ call: String, _ criteria: Criteria) -> Int {
    let key = Self.key(criteria)
    return state.withLock { state in
      let asking = state.asking[key]?.first { $0.call == call && $0.criteria == criteria }
      return asking?.waiting.count ?? 0
    }
  }

  /// Ends a read that asked; gives those who wait for its result.
  func end(_ ticket: Ticket) -> [JoinedRead] {
    state.withLock { state in
      guard let index = state.asking[ticket.key]?.firstIndex(where: { $0.number == ticket.number })
      else { return [] }
      let waiting = state.asking[ticket.key]?.remove(at: index).waiting
      if state.asking[ticket.key]?.isEmpty == true { state.asking[ticket.key] = nil }
      return waiting ?? []
    }
  }

  private static func key(_ criteria: Criteria) -> Int {
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
  }

  let outcome = Promise<Outcome>()
}
