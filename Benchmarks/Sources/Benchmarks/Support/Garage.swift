import Dispatch
import Evocation

/// The subject of the cases: a repository of cars, alone and behind a registry.
struct Garage: Sendable {
  let direct: any Repository<Car>
  let evocation: Evocation

  init(
    _ strategy: Strategy = .remoteOnly, callbackQueue: DispatchQueue? = nil,
    log: Evocation.Log = .off
  ) {
    let repository = CarRepository()
    direct = repository
    evocation = Evocation(configuration: .init(callbackQueue: callbackQueue, log: log))
    evocation.register(for: Car.self).repository(remote: repository)
      .repository(local: repository).strategy(strategy)
  }
}
