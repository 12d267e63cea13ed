/// How a refresh ended.
///
/// ```swift
/// switch try await cars.refresh(force: true) {
/// case .successful: print("fetched and saved")
/// case .failed(let error): print("as it was, because", error)
/// case .skipped(let reason): print("nothing to do:", reason)
/// }
/// ```
public enum RefreshResult: Sendable {
  /// The fetched data are saved, or a cache existed and the call did not require a fetch.
  ///
  /// The trace says what the fetch tried; it is nil where there was no fetch.
  case successful(trace: Evocation.Trace?)
  /// The fetch or the save failed; the cache is unchanged.
  case failed(any Error)
  /// Evocation fetched nothing for this caller.
  case skipped(SkipReason)

  /// Why Evocation fetched nothing.
  public enum SkipReason: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
    /// The cache is still fresh, or the source has nothing to fetch it from.
    case cacheNotTooOld
    /// The caller was canceled, other requirements were set, or your app wrote the cache.
    case cancelled
  }
}

extension RefreshResult {
  /// A success without a trace.
  public static var successful: RefreshResult { .successful(trace: nil) }

  /// What a fetch that succeeded tried; nil without one.
  ///
  /// The trace of a fetch that failed is in the state: ``CacheState/trace``.
  public var trace: Evocation.Trace? {
    if case .successful(let trace) = self { trace } else { nil }
  }
}

extension RefreshResult: CustomStringConvertible {
  /// The case with its error or its reason.
  public var description: String {
    switch self {
    case .successful: "successful"
    case .failed(let error): "failed(\(error))"
    case .skipped(let reason): "skipped(\(reason))"
    }
  }
}

extension RefreshResult: Equatable {
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

/// The type and the description of an error; errors with equal ones count as equal.
struct ErrorIdentity: Hashable {
  private let type: ObjectIdentifier
  private let description: String

  init(_ error: any Error) {
    type = ObjectIdentifier(Swift.type(of: error))
    description = "\(error)"
  }

  /// Whether both are nil, or count as equal.
  static func areSame(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
    left.map(Self.init) == right.map(Self.init)
  }
}
