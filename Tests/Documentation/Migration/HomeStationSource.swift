import Evocation

struct HomeStationSource: LocalCacheDataSource {
  let store: KeptValues<String>

  func saveCache(_ station: String, requirements: CacheTag) async throws {
    store.save(station, as: requirements.tag)
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<String, any Error> {
    store.values(of: requirements.tag)
  }

  func isCacheEmpty(_ station: String, requirements: CacheTag) -> Bool { station.isEmpty }
}
