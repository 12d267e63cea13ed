public import Foundation

/// A mock received a call that your test set no closure for.
///
/// ```swift
/// let result = try await mock.refresh()
/// guard case .failed(let failure as MockFailure) = result else {
///   Issue.record("\(result)")
///   return
/// }
/// #expect(
///   failure.description
///     == "CacheRepositoryMock<UntouchableSource> has no answer for refresh; set onRefresh.")
/// ```
public struct MockFailure: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The mock's type.
  public let mock: String

  /// The member that your code called.
  public let member: String

  /// The closure that your test has to set.
  public let closure: String

  /// One sentence: which member was used, and which closure to set.
  public var description: String {
    "\(mock) has no answer for \(member); set \(closure)."
  }
}
