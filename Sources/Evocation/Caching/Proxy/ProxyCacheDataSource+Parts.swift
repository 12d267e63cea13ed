internal import Foundation

/// A cache of some of the models that match, such as the first ten: a list of one page.
///
/// Only the service knows which models these are, and in which order. So the store keeps their ids,
/// as it keeps those of a list, and the local order decides nothing.
extension ProxyCacheDataSource {
  /// Returns the list that has the models of a part; nil for criteria of all that match.
  func page(of requirements: Criteria) -> ProxyPagingCacheDataSource<Model>? {
    declared(requirements).isPart(of: Model.self)
      ? ProxyPagingCacheDataSource(pageOf: self) : nil
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
    for criteria: Criteria, with rest: Rest, source: StoreWrite<Model>.Source
  ) async throws -> [Model] {
    let (local, store) = try page.local
    let isMirroring = rest.isWhole && options.removesMissing
    var list = ListPage(
      list: page.tag(for: criteria), models: fetched.listed, requirements: Data(),
      place: .replacing, kept: fetched.kept)
    guard let shown = rest.shown else {
      let gone = isMirroring ? fetched.unsaid.removable(criteria.unlimited) : nil
      let write = StoreWrite(
        list: .page(list),
        gone.map { [.mirror([], for: $0, keeping: fetched.models + fetched.kept)] } ?? [],
        stamp: rest.stamp, source: source,
        versions: fetched.versions, unsaid: fetched.unsaid)
      return try await store.commit(write).removed(by: write)
    }
    // What the service has is saved first, so that the list needs nothing but the ids of what is
    // shown: unsent writes are in the local store already.
    let write = fetched.write(for: isMirroring ? criteria : nil, source: source)
    let removed = try await local.write(write).removed(by: write)
    (list.models, list.kept) = (shown, shown)
    try await store.commit(StoreWrite(list: .page(list), stamp: rest.stamp))
    return removed
  }

  /// What else belongs to the models of a page.
  struct Rest {
    /// Whether they are all that match.
    var isWhole = false
    /// The models to show in place of them; nil for themselves.
    var shown: [Model]?
    var stamp: FetchStamp?
  }
}

extension StoreObservation {
  /// The same values, as those of a cache, of which no part is shown.
  var ofCache: StoreObservation {
    StoreObservation(barrier: barrier) { tell in
      try await observe { event in
        guard case .value(let value) = event else { return tell(event) }
        tell(.value(StoreValue(cache: value.cache, version: value.version)))
      }
    }
  }
}
