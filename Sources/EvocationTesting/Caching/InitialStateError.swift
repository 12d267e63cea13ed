/// A cache cannot be put into the state that a test wants.
public enum InitialStateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The source's ages leave no room for it.
  case agesExclude(wish: String, source: String)

  /// Nobody knows how an empty cache of this type is made.
  case noEmptyCache(source: String)

  /// One sentence that says what cannot be, and how to mend it.
  public var description: String {
    switch self {
    case .agesExclude(let wish, let source):
      "\(source) can never have a cache that is \(wish), by its maximum ages: say "
        + "lastFetched(_:), or give it other ages."
    case .noEmptyCache(let source):
      "\(source) still has something in its cache after it was to be emptied: say cache(_:) with "
        + "what counts as empty."
    }
  }
}
