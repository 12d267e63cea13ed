/// A proxy of any model type.
package protocol AnyProxy<Model>: AnyObject, Sendable {
  associatedtype Model: Sendable

  /// The proxy, with its model type.
  var typed: Proxy<Model> { get }
  /// The model type's name.
  var model: String { get }
  /// The beginning of the tags of its caches and lists.
  var tagPrefix: String { get }
  var line: WriteSerializer { get }
  var ledger: any FetchLedger { get }
}

extension Proxy: AnyProxy {
  package var typed: Proxy { self }
}

extension AnyProxy {
  /// The model type.
  package var modelType: Any.Type { Model.self }
}

/// A fetch that is due; it returns whether it succeeded, and nil if it was not due after all.
package typealias DueFetch = @Sendable () async -> Bool?

extension AnyProxy {
  /// Validates the observed caches of the model type.
  package func validateObserved() async {
    await CacheRegistry.of(ledger).fetchObserved(prefix: tagPrefix, since: nil)
  }

  /// Returns the fetches that are due for what is observed.
  ///
  /// If the service sends changes, and does not do so now, changes may be missing at any age.
  package func dueFetches() -> [DueFetch] {
    let (proxy, wiring) = (typed, typed.wiring)
    let isMissing = wiring.live != nil && wiring.binding.live.since == nil
    let date = isMissing ? proxy.environment.date() : nil
    let caches = CacheRegistry.of(ledger).entries(tagPrefix).filter { $0.isDue(since: date) }
    let isFetched = isMissing && wiring.strategy[.find].fetching != nil
    let criteria = isFetched ? proxy.hub.withLock { $0?.hub }?.observedCriteria ?? [] : []
    return caches.map { cache -> DueFetch in
      { await cache.fetchObserved(since: date) == nil }
    }
      + criteria.map { criteria -> DueFetch in { await proxy.fetchObserved(criteria) == nil } }
  }
}

extension Environment {
  /// Returns the configuration's ledger, and those of the local repositories, each once.
  package func ledgers(of proxies: [any AnyProxy]) -> [any FetchLedger] {
    var seen: Set<ObjectIdentifier> = []
    return ([ledger] + proxies.map(\.ledger)).filter { seen.insert($0.identity).inserted }
  }

  /// Returns the caches in use of these ledgers.
  package func caches(of proxies: [any AnyProxy]) -> [any CacheRegistry.Entry] {
    ledgers(of: proxies).flatMap { ledger in
      CacheRegistry.of(ledger).entries.sorted { $0.tag < $1.tag }
    }
  }
}
