/// What has nothing in it, for the types that are known to have such a value.
enum EmptyCache {
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
