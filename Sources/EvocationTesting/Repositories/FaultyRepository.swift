public import Evocation

/// Wraps a repository, whose calls go wrong by a schedule.
///
/// ```swift
/// let flaky = FaultyRepository(
///   InMemoryRepository<Car>(), FaultSchedule(.fails(), on: .first(2, ofEvery: 3)))
/// ```
///
/// It has what the wrapped repository has, as every ``/Evocation/InterceptedRepository``: it is
/// observable and has transactions, or has pages and sends changes, if the wrapped repository does.
/// Safe to use from any thread.
public typealias FaultyRepository<Wrapped: Repository> = InterceptedRepository<Wrapped, Faults>

extension InterceptedRepository where Interceptor == Faults {
  /// Wraps a repository.
  ///
  /// `clock` measures delays: real time, unless you pass a ``ManualClock``.
  public init(
    _ wrapped: Wrapped, _ schedule: FaultSchedule, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(wrapped, by: Faults(schedule, clock: clock))
  }

  /// The faults by call.
  ///
  /// If you change it, the calls so far still count.
  public var schedule: FaultSchedule {
    get { interceptor.schedule }
    nonmutating set { interceptor.schedule = newValue }
  }

  /// How many calls arrived.
  public var callsCount: Int { interceptor.callsCount }

  /// The faults so far, in order.
  public var faults: [InjectedFault] { interceptor.played }
}
