/// A repository's answer: the value, and metadata under names of its choice.
///
/// ```swift
/// Response(cars, metadata: ["etag": etag])
/// ```
public struct Response<Value: Sendable>: Sendable {
  /// The models, or the one model.
  public var value: Value

  /// Additional values; the caller reads one as `result.metadata[.remote]?["etag"]`.
  public var metadata: [String: any Sendable]

  /// Makes an answer.
  @inlinable @inline(__always)
  public init(_ value: Value, metadata: [String: any Sendable] = [:]) {
    self.value = value
    self.metadata = metadata
  }

  /// The same answer with another value.
  @inlinable
  public func map<Other: Sendable>(
    _ transform: (Value) throws -> Other
  ) rethrows
    -> Response<Other>
  {
    Response<Other>(try transform(value), metadata: metadata)
  }
}

extension Response where Value: Collection, Value.Element: Sendable {
  /// The answer with its first model alone, for calls for one model.
  @inlinable public var first: Response<Value.Element?> {
    map { $0.first }
  }
}
