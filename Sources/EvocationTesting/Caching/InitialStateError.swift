internal import Foundation

/// The error of `initState`: the cache cannot have the state that your test describes.
package enum InitialStateError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The maximum ages of the source exclude the state.
  case agesExclude(wish: String, source: String)

  /// Evocation knows no empty value of this type, and the source has data after a deletion.
  case noEmptyCache(source: String)

  /// One sentence: which state is impossible, why, and the fix.
  package var description: String {
    switch self {
    case .agesExclude(let age, let source):
      "\(source) can never have a cache that is \(age), because of its maximum ages; "
        + "use lastFetched(_:), or give the source other ages."
    case .noEmptyCache(let source):
      "\(source) still has data after its cache was deleted; use cache(_:) with a value "
        + "that counts as empty."
    }
  }
}
