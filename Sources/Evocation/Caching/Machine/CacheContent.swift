/// What was read of a cache.
enum CacheBody<Content: Sendable>: Sendable {
  case unread
  case empty
  case value(CacheContent<Content>, CacheExtent? = nil)

  /// Numbers the content as one that was read before, if the two are equal.
  ///
  /// It calls an app's own code, and is not to be called under a lock.
  func numbered(like other: Self) -> Self {
    func isEqual<Known: Equatable>(_ left: Known, _ right: Content) -> Bool {
      (right as? Known) == left
    }
    guard case .value(let new, let extent) = self, case .value(let old, _) = other,
      let known = new.value as? any Equatable, isEqual(known, old.value)
    else { return self }
    return .value(CacheContent(new.value, number: old.number), extent)
  }

  var content: CacheContent<Content>? {
    if case .value(let content, _) = self { content } else { nil }
  }
}

/// What is in a cache, with a number by which equal contents are known without comparing them.
///
/// A class, so that what holds it has the same layout whatever the content; to look up the layouts of
/// generic types cost more than the rest.
final class CacheContent<Content: Sendable>: Sendable {
  let value: Content
  let number: UInt64

  /// Numbers a content, as another that is equal to it, or else anew.
  init(_ value: Content, number: UInt64 = CacheNumbers.next()) {
    self.value = value
    self.number = number
  }
}

/// What went wrong, with a number by which equal errors are known without comparing them.
struct CacheFailure: Sendable {
  let error: any Error
  let number: UInt64

  /// Numbers an error, as another that is like it, or else anew.
  ///
  /// It calls an app's own code, and is not to be made under a lock.
  init(_ error: any Error, like other: CacheFailure? = nil) {
    self.error = error
    if let other, ErrorIdentity.areSame(other.error, error) {
      number = other.number
    } else {
      number = CacheNumbers.next()
    }
  }
}

/// Numbers that tell apart what several caches share.
enum CacheNumbers {
  private static let last = Lock<UInt64>(0)

  static func next() -> UInt64 {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
