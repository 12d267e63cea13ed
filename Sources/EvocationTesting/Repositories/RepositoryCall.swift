public import Evocation

/// A call of a ``RepositoryMock``, with its arguments.
///
/// ```swift
/// #expect(remote.calls == [.find(["year": 1980]), .storeOne(car)])
/// ```
public enum RepositoryCall<Model: Sendable>: Sendable {
  /// `find(_:)`, and `count(_:)`.
  case find(Criteria)
  /// `findOne(_:)`, and `exists(_:)`.
  case findOne(Criteria)
  /// `store(_:)`.
  case store([Model])
  /// `storeOne(_:)`.
  case storeOne(Model)
  /// `update(_:)`.
  case update([Model])
  /// `updateOne(_:)`.
  case updateOne(Model)
  /// `storeOrUpdate(_:)`.
  case storeOrUpdate([Model])
  /// `remove(_:)`.
  case remove([Model])
  /// `removeOne(_:)`.
  case removeOne(Model)
  /// `mirror(_:for:)`.
  case mirror([Model], Criteria)
}

extension RepositoryCall: Equatable where Model: Equatable {}

extension RepositoryCall: CustomStringConvertible {
  /// The name of the method.
  public var description: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
