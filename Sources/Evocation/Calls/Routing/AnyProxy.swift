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
    await CacheRegistry.of(ledger).validate(prefix: tagPrefix)
  }

  /// Returns the fetches that are due for what is observed.
  ///
  /// If the service sends changes, and does not do so now, changes may be missing at any age.
  package func dueFetches() -> [DueFetch] {
    let (proxy, wiring) = (typed, typed.wiring)
    let caches = CacheRegistry.of(ledger).entries(tagPrefix).filter(\.isObserved)
    guard wiring.live != nil, wiring.binding.live.since == nil else {
      return caches.filter(\.isDue).map { cache -> DueFetch in
        {
          await cache.validateObserved()
          return !cache.isDue
        }
      }
    }
    let now = proxy.environment.date()
    let isFetched = wiring.strategy[.find].fetching != nil
    let criteria = isFetched ? proxy.hub.withLock { $0?.hub }?.observedCriteria ?? [] : []
    return caches.map { cache -> DueFetch in { await cache.refreshObserved(since: now) } }
      + criteria.map { criteria -> DueFetch in { await proxy.fetchObserved(criteria) == nil } }
  }
}
