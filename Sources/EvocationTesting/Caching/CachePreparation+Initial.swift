import Evocation
import Foundation

extension CachePreparation {
  /// Puts the cache into a state; for a list, with its next pages.
  func put<Page>(
    _ state: InitialCacheState<Source.Cache, Page>, pages: PageRecord? = nil
  ) async throws {
    switch state.content {
    case .none:
      try await ledger.erase(tag: tag)
      try await source.deleteCache(requirements, keeping: others)
    case .empty:
      try await empty(try record(of: nil, state.age, pages: pages))
    case .value(let cache):
      try await save(cache, try record(of: cache, state.age, pages: pages))
    }
  }

  private func save(_ cache: Source.Cache, _ record: FetchRecord) async throws {
    let stamp = FetchStamp(tag: tag, record: record, ledger: ledger)
    try await source.updateCache(cache, requirements: requirements, stamp: stamp)
  }

  private func empty(_ record: FetchRecord) async throws {
    if let empty = EmptyCache.of(Source.Cache.self) { return try await save(empty, record) }
    try await source.deleteCache(requirements, keeping: others)
    guard try await isEmpty() else {
      throw InitialStateError.noEmptyCache(source: "\(Source.self)")
    }
    try await ledger.write(record, for: tag)
  }

  private func record(
    of cache: Source.Cache?, _ age: InitialCacheAge, pages: PageRecord?
  ) throws(InitialStateError) -> FetchRecord {
    let date =
      switch age.fetched {
      case .justNow, .notTooOld: now
      case .tooOld: now.addingTimeInterval(-tooOld)
      case .at(let date): date
      }
    var record = record(of: cache, fetchedAt: date)
    if let pages { record.pages = pages }
    switch age.fetched {
    case .justNow, .at: break
    case .notTooOld:
      guard freshness(of: record) == .fresh, (maxAge ?? 1) > 0 else {
        throw .agesExclude(wish: "not too old", source: "\(Source.self)")
      }
    case .tooOld:
      record.isInvalidated = maxAge == nil
      guard freshness(of: record) == .stale else {
        throw .agesExclude(wish: "too old and still shown", source: "\(Source.self)")
      }
    }
    return record
  }

  private var maxAge: Double? { source.maxAge(for: requirements)?.seconds }

  /// An age in seconds at which the cache is stale and still shown.
  private var tooOld: Double {
    guard let maxAge else { return 0 }
    let margin = max(maxAge, 60)
    guard let usable = source.maxUsableAge(for: requirements)?.seconds else {
      return max(maxAge, 0) + margin
    }
    return max(maxAge, 0) + min(margin, (usable - max(maxAge, 0)) / 2)
  }
}

/// The empty value of a collection, a set or a dictionary.
private enum EmptyCache {
  static func of<Cache>(_ type: Cache.Type) -> Cache? {
    let empty: Any? =
      switch type {
      case let type as any RangeReplaceableCollection.Type: type.init()
      case let type as any SetAlgebra.Type: type.init()
      case let type as any EmptyDictionary.Type: type.empty
      default: nil
      }
    return empty as? Cache
  }
}

/// A dictionary of any types.
private protocol EmptyDictionary {
  static var empty: Any { get }
}

extension Dictionary: EmptyDictionary {
  fileprivate static var empty: Any { [:] as Self }
}
