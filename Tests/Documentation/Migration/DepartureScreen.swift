import Evocation

struct DepartureScreen: Sendable {
  let departures: any CacheProviding<DepartureSource>

  func destinations(from station: String) async throws -> [String] {
    departures.requirements = DepartureSource.Requirements(station: station)
    return try await departures.value().map(\.destination)
  }
}
