public import Evocation

/// Wraps a repository, whose calls go wrong by a schedule.
///
/// ```swift
/// let flaky = FaultyRepository(
///   InMemoryRepository<Car>(), FaultSchedule(.fails(), on: .first(2, ofEvery: 3)))
/// ```
///
/// It is observable, and has transactions, if the wrapped repository is. Safe to use from any thread.
public final class FaultyRepository<Wrapped: Repository>: Repository {
  /// The model type of the wrapped repository.
  public typealias Model = Wrapped.Model

  private struct State {
    var schedule: FaultSchedule
    var counts: [FaultyCalls: Int] = [:]
    var played: [InjectedFault] = []
  }

  /// The wrapped repository, where nothing goes wrong.
  public let wrapped: Wrapped

  private let clock: any Clock<Duration>
  private let state: Lock<State>

  /// Wraps a repository.
  ///
  /// `clock` measures delays: real time, unless you pass a ``ManualClock``.
  public init(
    _ wrapped: Wrapped, _ schedule: FaultSchedule, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.wrapped = wrapped
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
  public var faults: [InjectedFault] { state.withLock { $0.played } }

  /// Counts a call, waits for its delay, and returns its fault.
  func begin(
    _ method: String, _ kind: FaultyCalls
  ) async throws -> (fault: Fault, error: any Error)? {
    let (faults, number) = state.withLock { state in
      let number = (state.counts[.call] ?? 0) + 1
      let numberOfKind = (state.counts[kind] ?? 0) + 1
      state.counts[.call] = number
      state.counts[kind] = numberOfKind
      let faults = state.schedule.faults(number: number, kind, numberOfKind: numberOfKind)
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
