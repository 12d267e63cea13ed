/// A repository's answer: the value, and metadata under names that the repository chooses.
///
/// ```swift
/// Response(cars, metadata: ["etag": etag])
/// ```
public struct Response<Value: Sendable>: Sendable, PlainlyPrinted {
  /// The models, or the one model.
  public var value: Value

  /// Additional values.
  ///
  /// The caller reads one as `result.metadata[.remote]?["etag"]`. Evocation itself reads
  /// `totalCount`, an `Int`: how many models match in all, whatever the limit.
  public var metadata: [String: any Sendable]

  /// The server's version of each of the models, in their order; nil for a model that has none.
  ///
  /// Empty if the repository knows no versions. A version is text that the server compares when a
  /// write names the version that it was made on, such as an entity tag. Nothing else reads it.
  public var versions: [String?]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - value: The models, or the one model.
  ///   - metadata: Additional values, under names that the repository chooses.
  ///   - versions: The version of each of the models; empty if none are known.
  @inlinable @inline(__always)
  public init(
    _ value: Value, metadata: [String: any Sendable] = [:], versions: [String?] = []
  ) {
    self.value = value
    self.metadata = metadata
    self.versions = versions
  }

  /// Returns the same answer with another value, which has as many models in the same order.
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
  /// The answer with its first model and the version of that model alone, for calls on one model.
  @inlinable public var first: Response<Value.Element?> {
    var first = map { $0.first }
    if versions.count > 1 { first.versions = [versions[0]] }
    return first
  }
}

extension Response where Value: Collection {
  /// Creates the answer of a repository that cuts nothing but what the criteria say.
  ///
  /// If the answer ended before the limit, it says how many models match in all.
  package init(whole value: Value, for criteria: Criteria) {
    self.init(value)
    guard let limit = criteria.limit, criteria.cursor == nil, !value.isEmpty, value.count < limit
    else { return }
    metadata["totalCount"] = max(0, criteria.offset).addingClamped(value.count)
  }
}
