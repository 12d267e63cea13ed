/// Equal reads of the remote that are under way at the same time, of which one asks for all.
///
/// The first one asks where its caller is, at next to no cost; who comes while it is under way waits
/// for its result. A write on the model that begins between them keeps them apart, and so does being
/// inside the read that asks, which would wait for itself.
final class ReadJoins<Model: Sendable>: Sendable {
  /// What a read does that has begun.
  enum Part: Sendable {
    /// It asks, and says so when it has ended.
    case asks(UInt64)
    /// It takes what another one gets.
    case takes(Promise<Taken>)
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
    var asking: [Asking] = []
    var lastNumber: UInt64 = 0

    mutating func add(_ make: (UInt64) -> Asking) -> UInt64 {
      lastNumber += 1
      asking.append(make(lastNumber))
      return lastNumber
    }
  }

  private let state = Lock(State())

  /// Begins a read, when so many writes on the model had begun.
  func begin(
    _ call: String, _ criteria: Criteria, _ wiring: Wiring<Model>, after writes: UInt64
  ) -> Part {
    let task = withUnsafeCurrentTask { $0?.hashValue ?? 0 }
    return state.withLock { state -> Part in
      let equal = state.asking.firstIndex { other in
        other.writes == writes && other.wiring === wiring && other.task != task
          && other.call == call && other.criteria == criteria
      }
      if let equal {
        let taken = Promise<Taken>()
        state.asking[equal].waiting.append(taken)
        return .takes(taken)
      }
      return .asks(
        state.add { number in
          Asking(
            number: number, call: call, criteria: criteria, wiring: wiring, writes: writes,
            task: task)
        })
    }
  }

  /// Begins a read for whose result nobody waits; nil where an equal one is under way.
  func beginAlone(
    _ call: String, _ criteria: Criteria, _ wiring: Wiring<Model>
  ) -> UInt64? {
    state.withLock { state in
      let isUnderWay = state.asking.contains { other in
        other.wiring === wiring && other.call == call && other.criteria == criteria
      }
      guard !isUnderWay else { return nil }
      return state.add { number in
        Asking(number: number, call: call, criteria: criteria, wiring: wiring, writes: 0, task: 0)
      }
    }
  }

  /// How many wait for the result of an equal read.
  func waitingCount(_ call: String, _ criteria: Criteria) -> Int {
    state.withLock { state in
      state.asking.first { $0.call == call && $0.criteria == criteria }?.waiting.count ?? 0
    }
  }

  /// Ends a read that asked, and gives its result to those who wait for it.
  func end(_ number: UInt64, _ result: Evocation.Result<[Model]>) {
    let ended = state.withLock { state -> Asking? in
      guard let index = state.asking.firstIndex(where: { $0.number == number }) else { return nil }
      return state.asking.remove(at: index)
    }
    guard let ended, !ended.waiting.isEmpty else { return }
    let wasCancelled = result.error.map(Cancellation.isCause) ?? false
    for taken in ended.waiting { taken.fulfil(wasCancelled ? .nothing : .result(result)) }
  }
}
