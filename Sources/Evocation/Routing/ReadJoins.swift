/// Equal reads of the remote that are under way at the same time, of which one asks for all.
///
/// The first one asks where its caller is, at next to no cost; who comes while it is under way waits
/// for its result. A write on the model that begins between them keeps them apart, and so does being
/// inside the read that asks, which would wait for itself.
final class ReadJoins<Model: Sendable>: Sendable {
  /// What a read does that has begun.
  enum Part: Sendable {
    /// It asks, and says so when it has ended.
    case asks(Ticket)
    /// It takes what another one gets.
    case takes(Promise<Taken>)
  }

  /// A read that asks.
  struct Ticket: Sendable {
    fileprivate let number: UInt64
    fileprivate let key: Int
  }

  /// What is taken over from a read that asked.
  enum Taken: Sendable {
    case result(Evocation.Result<[Model]>)
    /// That one was cancelled, which is not to concern this one.
    case nothing
    /// This one is cancelled.
    case cancelled
  }

  private struct Asking {
    let number: UInt64
    let call: String
    let criteria: Criteria
    let wiring: Wiring<Model>
    let writes: UInt64
    let task: Int
    var waiting: [Promise<Taken>] = []
  }

  private struct State {
    /// By the hashes of their criteria.
    var asking: [Int: [Asking]] = [:]
    var lastNumber: UInt64 = 0

    mutating func add(_ key: Int, _ make: (UInt64) -> Asking) -> Ticket {
      lastNumber += 1
      asking[key, default: []].append(make(lastNumber))
      return Ticket(number: lastNumber, key: key)
    }
  }

  private let state = Lock(State())

  /// Begins a read, when so many writes on the model had begun.
  func begin(
    _ call: String, _ criteria: Criteria, _ wiring: Wiring<Model>, after writes: UInt64
  ) -> Part {
    let (key, task) = (Self.key(criteria), withUnsafeCurrentTask { $0?.hashValue ?? 0 })
    return state.withLock { state -> Part in
      let equal = state.asking[key]?.firstIndex { other in
        other.writes == writes && other.wiring === wiring && other.task != task
          && other.call == call && other.criteria == criteria
      }
      if let equal {
        let taken = Promise<Taken>()
        state.asking[key]?[equal].waiting.append(taken)
        return .takes(taken)
      }
      return .asks(
        state.add(key) { number in
          Asking(
            number: number, call: call, criteria: criteria, wiring: wiring, writes: writes,
            task: task)
        })
    }
  }

  /// Begins a read for whose result nobody waits; nil where an equal one is under way.
  func beginAlone(
    _ call: String, _ criteria: Criteria, _ wiring: Wiring<Model>
  ) -> Ticket? {
    let key = Self.key(criteria)
    return state.withLock { state in
      let isUnderWay = state.asking[key]?.contains { other in
        other.wiring === wiring && other.call == call && other.criteria == criteria
      }
      guard isUnderWay != true else { return nil }
      return state.add(key) { number in
        Asking(number: number, call: call, criteria: criteria, wiring: wiring, writes: 0, task: 0)
      }
    }
  }

  /// How many wait for the result of an equal read.
  func waitingCount(_ call: String, _ criteria: Criteria) -> Int {
    let key = Self.key(criteria)
    return state.withLock { state in
      let asking = state.asking[key]?.first { $0.call == call && $0.criteria == criteria }
      return asking?.waiting.count ?? 0
    }
  }

  /// Ends a read that asked, and gives its result to those who wait for it.
  func end(_ ticket: Ticket, _ result: Evocation.Result<[Model]>) {
    let ended = state.withLock { state -> Asking? in
      guard let index = state.asking[ticket.key]?.firstIndex(where: { $0.number == ticket.number })
      else { return nil }
      let ended = state.asking[ticket.key]?.remove(at: index)
      if state.asking[ticket.key]?.isEmpty == true { state.asking[ticket.key] = nil }
      return ended
    }
    guard let ended, !ended.waiting.isEmpty else { return }
    let wasCancelled = result.error.map(Cancellation.isCause) ?? false
    for taken in ended.waiting { taken.fulfil(wasCancelled ? .nothing : .result(result)) }
  }

  private static func key(_ criteria: Criteria) -> Int {
    criteria == Criteria() ? 0 : criteria.hashValue
  }
}
