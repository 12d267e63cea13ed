/// How the load of another page ended.
///
/// ```swift
/// switch await cars.goToNextPage() {
/// case .successful: print("saved and shown")
/// case .failed(let error): print("the list is as it was, because", error)
/// case .skipped(let reason): print("nothing to do:", reason)
/// }
/// ```
public enum PageResult: Sendable {
  /// The page is saved and shown.
  ///
  /// The trace says what the fetch tried; it is nil where there was no fetch.
  case successful(trace: Evocation.Trace?)
  /// The fetch or the save failed; the list is unchanged, and you can request the page again.
  case failed(any Error)
  /// No page was fetched.
  case skipped(NoPageReason)

  /// Why no page was fetched.
  public enum NoPageReason: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// There is no page in this direction.
    case noMorePages
    /// The call came from inside a load of the same list, so it would wait for itself.
    case alreadyLoading
    /// The last page failed, and the call does not try it again.
    case lastPageFailed
    /// The caller was canceled, other requirements were set, or the list was replaced.
    case cancelled
  }
}

extension PageResult {
  /// A success without a trace.
  public static var successful: PageResult { .successful(trace: nil) }

  /// What a fetch that succeeded tried; nil without one.
  ///
  /// The trace of a fetch that failed is in the state: ``CacheState/trace``.
  public var trace: Evocation.Trace? {
    if case .successful(let trace) = self { trace } else { nil }
  }
}

extension PageResult: CustomStringConvertible {
  /// The case with its error or its reason.
  public var description: String {
    switch self {
    case .successful: "successful"
    case .failed(let error): "failed(\(error))"
    case .skipped(let reason): "skipped(\(reason))"
    }
  }
}

extension PageResult: Equatable {
  /// Whether two results are equal, whatever their traces; errors are when their types and
  /// descriptions are.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.successful, .successful): true
    case (.failed(let left), .failed(let right)): ErrorIdentity(left) == ErrorIdentity(right)
    case (.skipped(let left), .skipped(let right)): left == right
    case (.successful, _), (.failed, _), (.skipped, _): false
    }
  }
}
