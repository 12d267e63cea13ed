import Evocation
import EvocationHTTP
import EvocationLive
import Fixtures
import Foundation

/// The third tour: a screen that follows a service, at which somebody else sells a car.
struct LiveTour {
  var narrator: Narrator

  private let thrifty: Criteria.Of<Car> =
    (\Car.origin == "Japan" && \Car.milesPerGallon >= 40)
    .sorted(by: \.milesPerGallon, descending: true)

  init(narrator: Narrator) {
    self.narrator = narrator
  }

  mutating func run() async throws {
    narrator.title("7  A car that somebody else sells")
    let service = try await Service.start()
    defer { service.stop() }
    narrator.code("format.live = .events(path: \"events\")")
    var format = HTTPFormat.rest
    format.live = .events(path: "events")
    let showroom = Evocation()
    try showroom.register(
      Car.self, remote: HTTPRepository(HTTPService(service.url), "cars", format: format),
      local: InMemoryRepository<Car>(), strategy: .remoteFirst)
    narrator.code("showroom.live.start()")
    showroom.live.start()
    let screen = showroom.cache(Car.self, where: thrifty)
    narrator.code("for await state in screen.observe() { … }")
    var states = screen.observe().makeAsyncIterator()
    let cars = await show(&states) { $0.isLive && $0.cache?.isEmpty == false }
    guard let first = cars.first else { return narrator.check(false, "there are cars") }
    narrator.code("DELETE /cars/\(first.id)                      // by somebody else")
    _ = try await HTTPRepository<Car>(HTTPService(service.url), "cars").removeOne(first)
    let left = await show(&states) { $0.cache?.contains(first) == false }
    narrator.check(
      left == Array(cars.dropFirst()) && screen.state?.isLive == true,
      "the \(first.name) disappears from the screen by itself")
  }

  /// Waits for a state, and prints how many cars it has, and whether it is live.
  private func show<States: AsyncIteratorProtocol>(
    _ states: inout States, when isAwaited: (CacheState<[Car]>) -> Bool
  ) async -> [Car]
  where States.Element == CacheState<[Car]>, States.Failure == Never {
    while let state = await states.next(isolation: #isolation) {
      guard isAwaited(state), !state.isRefreshing else { continue }
      narrator.say("→ \(state.cache?.count ?? 0) cars\(state.isLive ? ", live" : "")")
      return state.cache ?? []
    }
    return []
  }
}
