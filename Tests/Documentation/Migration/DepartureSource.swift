import Evocation

struct DepartureSource: CacheDataSource {
  struct Requirements: CacheRequirements, Equatable {
    let station: String
    var tag: String { "departures from \(station)" }
  }

  let service: DepartureService
  let store: DepartureStore
  let maxAge: Duration? = .seconds(5 * 3600)

  func fetchFreshCache(_ requirements: Requirements) async throws -> [Departure] {
    try await service.departures(from: requirements.station)
  }

  func saveCache(_ departures: [Departure], requirements: Requirements) async throws {
    store.save(departures, as: requirements.tag)
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<[Departure], any Error> {
    store.values(of: requirements.tag)
  }
}
