/// The value of a cache that was read.
enum CacheBody<Content: Sendable>: Sendable {
  case unread
  case empty
  case value(CacheContent<Content>, CacheExtent? = nil)

  /// Returns the value with the number of one that was read before, if the two are equal.
  ///
  /// It calls the app's `==`, so it must not be called under a lock.
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

/// The content of a cache, with a number that equal contents share, to compare them without `==`.
///
/// A class, so that the types that hold it have the same layout for every content. Looking up the
/// layouts of generic types cost more than everything else.
final class CacheContent<Content: Sendable>: Sendable {
  let value: Content
  let number: UInt64

  /// Numbers a content, with a new number unless one is passed.
  init(_ value: Content, number: UInt64 = CacheNumbers.next()) {
    self.value = value
    self.number = number
  }
}

/// An error, with a number that equal errors share, to compare them by their numbers.
struct CacheFailure: Sendable {
  let error: any Error
  let number: UInt64

  /// Numbers an error: with the number of the other failure if its error is equal, else with a new
  /// one.
  ///
  /// It calls the app's code to compare them, so it must not be called under a lock.
  init(_ error: any Error, like other: CacheFailure? = nil) {
    self.error = error
    if let other, ErrorIdentity.areSame(other.error, error) {
      number = other.number
    } else {
      number = CacheNumbers.next()
    }
  }
}

/// Numbers that are used once in this process, each greater than those before it.
enum CacheNumbers {
  private static let last = Lock<UInt64>(0)

  static func next() -> UInt64 {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
