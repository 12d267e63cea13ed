import Evocation

struct TimetableSource: PagingCacheDataSource {
  struct Requirements: CacheRequirements {
    let station: String
    var tag: String { "timetable of \(station)" }
  }

  let service: DepartureService
  let store: DepartureStore
  let maxAge: Duration? = .seconds(5 * 3600)

  func firstPage(_ requirements: Requirements) -> PageNumber { 1 }

  func fetchFreshCache(
    _ requirements: Requirements, pagingRequirements page: PageNumber
  ) async throws -> FetchedPage<[Departure], PageNumber> {
    let answer = try await service.departures(from: requirements.station, page: page.number)
    return FetchedPage(answer.departures, next: answer.isLast ? nil : page.next)
  }

  func saveCache(
    _ departures: [Departure], requirements: Requirements, pagingRequirements: PageNumber,
    place: PagePosition
  ) async throws {
    let ids = Set(departures.map(\.id))
    let others = (store.value(of: requirements.tag) ?? []).filter { !ids.contains($0.id) }
    switch place {
    case .replacing: store.save(departures, as: requirements.tag)
    case .after: store.save(others + departures, as: requirements.tag)
    case .before: store.save(departures + others, as: requirements.tag)
    }
  }

  func deleteCache(_ requirements: Requirements) async throws {
    store.save([], as: requirements.tag)
  }

  func persistOnlyFirstPage(_ requirements: Requirements) async throws {
    store.save(Array((store.value(of: requirements.tag) ?? []).prefix(2)), as: requirements.tag)
  }

  func observeCache(_ requirements: Requirements) -> AsyncThrowingStream<[Departure], any Error> {
    store.values(of: requirements.tag)
  }
}
