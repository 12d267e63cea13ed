public import Evocation

/// The faults of a ``FaultyRepository``, which count its calls.
///
/// ```swift
/// let faults = Faults(FaultSchedule(.fails(), on: .number(1)))
/// let remote = InterceptedRepository(InMemoryRepository<Car>(), by: faults)
/// ```
///
/// Several repositories may share them: their calls are then counted together. Safe to use from any
/// thread.
public final class Faults: RepositoryInterceptor {
  private struct State {
    var schedule: FaultSchedule
    var counts: [FaultyCalls: Int] = [:]
    var played: [InjectedFault] = []
  }

  private let clock: any Clock<Duration>
  private let state: Lock<State>

  /// Creates faults.
  ///
  /// `clock` measures delays: real time, unless you pass a ``ManualClock``.
  public init(_ schedule: FaultSchedule, clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
    state = Lock(State(schedule: schedule))
  }

  /// The faults by call.
  ///
  /// If you change it, the calls so far still count.
  public var schedule: FaultSchedule {
    get { state.withLock { $0.schedule } }
    set { state.withLock { $0.schedule = newValue } }
  }

  /// How many calls arrived.
  public var callsCount: Int { state.withLock { $0.counts[.call] ?? 0 } }

  /// The faults so far, in order.
  public var played: [InjectedFault] { state.withLock { $0.played } }

  /// Makes the call, with the fault of the schedule.
  ///
  /// A commit that breaks off has done nothing, and a mirror has removed nothing then.
  public func perform<Model: Sendable, Value: Sendable>(
    _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
  ) async throws -> Value {
    guard let (fault, error) = try await begin(call.kind) else { return try await body(call) }
    switch fault {
    case .losesWrite where call.kind.isWrite:
      if let answer: Value = call.answerIfLost() { return answer }
    case .breaksOff(let count) where call.kind.isWrite:
      var part = call
      part.models = Array(call.models.prefix(max(0, count)))
      // A mirror that its models fill removes nothing.
      if part.models.count < call.models.count { part.criteria.limit = part.models.count }
      if !part.models.isEmpty { _ = try await body(part) }
    case .losesAnswer, .breaksOff:
      _ = try await body(call)
    case .answersHalf:
      let answer = try await body(call)
      return (answer as? any Halvable)?.half() as? Value ?? answer
    case .fails, .isDelayed, .losesWrite:
      return try await body(call)
    }
    throw error
  }

  /// Counts a call, waits for its delay, and returns its fault.
  private func begin<Model>(
    _ kind: InterceptedCall<Model>.Kind
  ) async throws -> (fault: Fault, error: any Error)? {
    let method = kind.rawValue
    let (faults, number) = state.withLock { state in
      let calls: FaultyCalls = kind.isWrite ? .write : .read
      let number = (state.counts[.call] ?? 0) + 1
      let numberOfKind = (state.counts[calls] ?? 0) + 1
      state.counts[.call] = number
      state.counts[calls] = numberOfKind
      let faults = state.schedule.faults(number: number, calls, numberOfKind: numberOfKind)
      state.played += faults.map { InjectedFault(method: method, call: number, fault: "\($0)") }
      return (faults, number)
    }
    var first: Fault?
    for fault in faults {
      if case .isDelayed(let duration) = fault {
        try await clock.sleepWithinBounds(for: duration)
      } else {
        first = first ?? fault
      }
    }
    guard let first else { return nil }
    let error = InjectedFault(method: method, call: number, fault: "\(first)")
    guard case .fails(let own) = first else { return (first, error) }
    throw own ?? error
  }
}

extension InterceptedCall {
  /// Returns the answer of a write that was made, although it was not; nil if it has another form.
  fileprivate func answerIfLost<Value>() -> Value? {
    switch kind {
    case .mirror: Response<[Model]>([]) as? Value
    case .commit: StoreCommit<Model>(answers: []) as? Value
    case .find, .findOne, .count, .exists, .store, .storeOne, .update, .updateOne, .storeOrUpdate,
      .remove, .removeOne, .snapshot, .changes, .liveChanges, .together:
      Response(models) as? Value ?? Response(models.first) as? Value
    }
  }
}

/// An answer that has a first half; of one model, that is none.
private protocol Halvable {
  func half() -> Self
}

extension Array: Halvable {
  fileprivate func half() -> Self { Array(prefix(count / 2)) }
}

extension Optional: Halvable {
  fileprivate func half() -> Self { nil }
}

extension Int: Halvable {
  fileprivate func half() -> Self { self / 2 }
}

extension Bool: Halvable {
  fileprivate func half() -> Self { false }
}

extension Response: Halvable where Value: Halvable {
  fileprivate func half() -> Self {
    var half = map { $0.half() }
    half.versions = versions.half()
    half.absentKeys = absentKeys.half()
    return half
  }
}

extension RepositorySnapshot: Halvable {
  fileprivate func half() -> Self { Self(models.half(), version: version) }
}

extension StoreCommit: Halvable {
  fileprivate func half() -> Self {
    var half = self
    half.answers = answers.map { $0.half() }
    return half
  }
}
