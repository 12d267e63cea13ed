internal import Foundation

/// A cache of some of the models that match, such as the first ten: a list of one page.
///
/// Only the service knows which models these are, and in which order. So the store keeps their ids,
/// as it keeps those of a list, and the local order decides nothing.
extension ProxyCacheDataSource {
  /// Returns the list that has the models of a part; nil for criteria of all that match.
  func page(of requirements: Criteria) -> ProxyPagingCacheDataSource<Model>? {
    requirements.isPart(of: Model.self) ? ProxyPagingCacheDataSource(pageOf: self) : nil
  }

  func isKept(_ tag: String) async throws -> Bool {
    try await page(ofTag: tag)?.isKept(tag) ?? true
  }

  func isDamaged(_ tag: String) async throws -> Bool {
    try await page(ofTag: tag)?.isDamaged(tag) ?? false
  }

  func drop(_ tag: String) async throws {
    try await page(ofTag: tag)?.drop(tag)
  }

  private func page(ofTag tag: String) -> ProxyPagingCacheDataSource<Model>? {
    let coded = Data(tag.utf8.dropFirst(Self.tagPrefix.utf8.count))
    return (try? JSONDecoder().decode(Criteria.self, from: coded)).flatMap { page(of: $0) }
  }

  /// Saves the models as the page, and returns those that were removed for it.
  ///
  /// Only an answer with all that match removes others, because the rest may be behind the page.
  func put(
    _ fetched: FetchedModels<Model>, on page: ProxyPagingCacheDataSource<Model>,
    for criteria: Criteria, isWhole: Bool, stamp: FetchStamp?, source: StoreWrite<Model>.Source
  ) async throws -> [Model] {
    let list = ListPage(
      list: page.tag(for: criteria), models: fetched.listed, requirements: Data(),
      place: .replacing, kept: fetched.kept)
    let gone = StoreWrite<Model>.Change.mirror(
      [], for: criteria.unlimited, keeping: fetched.models + fetched.kept)
    let write = StoreWrite(
      list: .page(list), isWhole && options.removesMissing ? [gone] : [], stamp: stamp,
      source: source, versions: fetched.versions)
    return try await page.local.store.commit(write).removed(by: write)
  }
}

extension StoreObservation {
  /// The same values, as those of a cache, of which no part is shown.
  var ofCache: StoreObservation {
    StoreObservation(reach: reach) { tell in
      try await observe { event in
        guard case .value(let value) = event else { return tell(event) }
        tell(.value(StoreValue(cache: value.cache, version: value.version)))
      }
    }
  }
}
