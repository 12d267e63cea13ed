public import Evocation

/// A call of a ``CacheRepositoryMock`` or a ``PagingCacheRepositoryMock``, with its arguments.
///
/// ```swift
/// #expect(cars.calls == [.requirements(["year": 1980]), .value(from: .both)])
/// ```
public enum CacheCall<Requirements: Sendable, Cache: Sendable>: Sendable {
  /// `requirements` was set.
  case requirements(Requirements?)
  /// `observe(forceRefresh:)`, in either of its forms.
  case observe(forceRefresh: Bool)
  /// `refresh(force:)`.
  case refresh(force: Bool)
  /// `refreshIfNoCache()`.
  case refreshIfNoCache
  /// `validate()`.
  case validate
  /// `update(_:)`.
  case update(Cache?)
  /// `clear()`.
  case clear
  /// `invalidate()`.
  case invalidate
  /// `value(from:)`.
  case value(from: CacheOrigin)
  /// `valueIfAvailable(from:)`.
  case valueIfAvailable(from: CacheOrigin)
  /// `goToNextPage(continueWhenError:)` of a list.
  case goToNextPage(continueWhenError: Bool)
  /// `goToPreviousPage(continueWhenError:)` of a list.
  case goToPreviousPage(continueWhenError: Bool)
  /// `rowAppeared(at:)` of a list.
  case rowAppeared(at: Int)

  /// The name of the member.
  var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

extension CacheCall: Equatable where Requirements: Equatable, Cache: Equatable {}
