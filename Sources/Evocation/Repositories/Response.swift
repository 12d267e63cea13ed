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

  /// The service's version of each of its models, in their order; nil where it has none.
  ///
  /// Empty where the repository knows no versions. A version is what the service compares when a write
  /// says what it was made on, such as an entity tag; nothing else reads it.
  public var versions: [String?]

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - value: The models, or the one model.
  ///   - metadata: Additional values, by names of the repository's choice.
  ///   - versions: The version of each of the models; empty where none are known.
  @inlinable @inline(__always)
  public init(
    _ value: Value, metadata: [String: any Sendable] = [:], versions: [String?] = []
  ) {
    self.value = value
    self.metadata = metadata
    self.versions = versions
  }

  /// The same answer with another value, which has as many models in the same order.
  @inlinable
  public func map<Other: Sendable>(
    _ transform: (Value) throws -> Other
  ) rethrows
    -> Response<Other>
  {
    Response<Other>(try transform(value), metadata: metadata, versions: versions)
  }
}

extension Response where Value: Collection, Value.Element: Sendable {
  /// The answer with its first model and its version alone, for calls for one model.
  @inlinable public var first: Response<Value.Element?> {
    var first = map { $0.first }
    if versions.count > 1 { first.versions = [versions[0]] }
    return first
  }
}
