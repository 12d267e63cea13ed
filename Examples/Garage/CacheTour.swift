import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// The second tour: a screen that shows cached cars, and each state that it passes through.
struct CacheTour {
  var narrator: Narrator
  let service: Service

  private let thrifty: Criteria.Of<Car> =
    (\Car.origin == "Japan" && \Car.year >= 1980 && \Car.milesPerGallon > 38)
    .sorted(by: \.milesPerGallon, descending: true)

  private let european: Criteria.Of<Car> =
    (\Car.origin == "Europe" && \Car.year >= 1980 && \Car.milesPerGallon > 40)
    .sorted(by: \.milesPerGallon, descending: true)

  init(narrator: Narrator, service: Service) {
    self.narrator = narrator
    self.service = service
  }

  mutating func run() async throws {
    narrator.title("6  A screen and its cache")
    narrator.code("let cars = Evocation.cache(Car.self, where: thrifty, maxAge: .hours(5))")
    let known = Evocation.cache(Car.self, where: thrifty, maxAge: .hours(5))
    narrator.code("for await state in cars.observe() { … }")
    var knownStates = known.observe().makeAsyncIterator()
    let shown = await show(&knownStates) { $0.cache != nil }
    narrator.check(
      shown?.freshness == .fresh && shown?.isRefreshing == false,
      "the calls before had fetched these five: fresh, and nothing is asked")

    narrator.say("Nobody has asked for the European ones yet: that is no cache.")
    narrator.code("let cars = Evocation.cache(Car.self, where: european, maxAge: .hours(5))")
    let cars = Evocation.cache(Car.self, where: european, maxAge: .hours(5))
    var states = cars.observe().makeAsyncIterator()
    let first = await show(&states) { $0.event == .firstFetchSucceeded }
    narrator.check(
      first?.cache?.count == 5, "observing fetched it: content and success in one state")

    narrator.code("try await cars.refresh(force: true)")
    _ = try await cars.refresh(force: true)
    let second = await show(&states) { $0.event == .refreshSucceeded }
    narrator.check(second?.cache == first?.cache, "the cars stayed on the screen in the meantime")

    narrator.say(
      "Somebody tells the app that the cars have changed, and just then the service stops.")
    service.stop()
    narrator.code("try await cars.invalidate()")
    try await cars.invalidate()
    let third = await show(&states) { $0.refreshError != nil }
    narrator.check(
      third?.cache == first?.cache && third?.isStale == true,
      "a failed refresh takes nothing away: stale cars, and the error beside them")

    let again = try await Service.start(port: service.port)
    defer { again.stop() }
    narrator.code("await cars.validate()                 // the service is back")
    await cars.validate()
    let fourth = await show(&states) { $0.justFinishedSuccessfulRefresh }
    narrator.check(
      fourth?.isStale == false && fourth?.refreshError == nil, "fresh again, and no error left")
  }

  /// Prints the states as they arrive, and returns the first that is wanted.
  private func show<States: AsyncIteratorProtocol>(
    _ states: inout States, until isWanted: (CacheState<[Car]>) -> Bool
  ) async -> CacheState<[Car]>?
  where States.Element == CacheState<[Car]>, States.Failure == Never {
    while let state = await states.next(isolation: #isolation) {
      narrator.say("→ " + sentence(state))
      if isWanted(state) { return state }
    }
    return nil
  }

  private func sentence(_ state: CacheState<[Car]>) -> String {
    var parts: [String] = []
    switch state.phase {
    case .never: parts.append("no cache")
    case .empty: parts.append("an empty cache")
    case .content(let cars, _): parts.append("\(cars.count) cars")
    }
    if let freshness = state.freshness { parts.append(freshness == .fresh ? "fresh" : "stale") }
    if let age = state.cacheAge, !narrator.isPlain {
      parts.append("fetched \(age.formatted(.units(allowed: [.seconds, .milliseconds]))) ago")
    }
    if state.isFirstFetch { parts.append("fetching for the first time") }
    if state.isRefreshing, !state.isFirstFetch { parts.append("refreshing") }
    if state.justFinishedSuccessfulRefresh { parts.append("just fetched") }
    if state.refreshError != nil { parts.append("the refresh failed") }
    return parts.joined(separator: ", ")
  }
}
