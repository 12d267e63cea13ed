/// How a refresh ended.
public enum RefreshResult: Sendable {
  /// The fetched data are saved, or there was a cache and a fetch was not required.
  case successful
  /// The fetch or the save failed; the cache is as it was.
  case failed(any Error)
  /// Nothing was fetched for this caller.
  case skipped(SkipReason)

  /// Why nothing was fetched.
  public enum SkipReason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The cache is still fresh, or has nowhere to be fetched from.
    case cacheNotTooOld
    /// The caller was cancelled, other requirements were set, or the app put something in.
    case cancelled
  }
}

extension RefreshResult: Equatable {
  /// Whether two ended alike; errors are alike when type and description are.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.successful, .successful): true
    case (.failed(let left), .failed(let right)): ErrorIdentity(left) == ErrorIdentity(right)
    case (.skipped(let left), .skipped(let right)): left == right
    case (.successful, _), (.failed, _), (.skipped, _): false
    }
  }
}
