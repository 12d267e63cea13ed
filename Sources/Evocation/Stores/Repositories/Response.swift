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

  /// The coding keys that the service's answer did not have, for each of the models, in their order.
  ///
  /// Empty if each model has all its keys, or the repository does not know. Under such a key the local
  /// store keeps the value that it has, because an answer without a key says nothing of its value. Null
  /// is a value: an answer that has a key with null sets null.
  public var absentKeys: [Set<String>]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - value: The models, or the one model.
  ///   - metadata: Additional values, under names that the repository chooses.
  ///   - versions: The version of each of the models; empty if none are known.
  ///   - absentKeys: The keys that the answer did not have, for each of the models; empty for none.
  @inlinable @inline(__always)
  public init(
    _ value: Value, metadata: [String: any Sendable] = [:], versions: [String?] = [],
    absentKeys: [Set<String>] = []
  ) {
    self.value = value
    self.metadata = metadata
    self.versions = versions
    self.absentKeys = absentKeys
  }

  /// Returns the same answer with another value, which has as many models in the same order.
  @inlinable
  public func map<Other: Sendable>(
    _ transform: (Value) throws -> Other
  ) rethrows
    -> Response<Other>
  {
    Response<Other>(
      try transform(value), metadata: metadata, versions: versions, absentKeys: absentKeys)
  }
}

extension Response where Value: Collection, Value.Element: Sendable {
  /// The answer with its first model and the version of that model alone, for calls on one model.
  @inlinable public var first: Response<Value.Element?> {
    var first = map { $0.first }
    if versions.count > 1 { first.versions = [versions[0]] }
    if absentKeys.count > 1 { first.absentKeys = [absentKeys[0]] }
    return first
  }
}

extension Response {
  /// The metadata, with the keys that the answer did not have.
  ///
  /// Inlined, because as a function it would look up its generic type (`find, async`).
  @inlinable @inline(__always) package var values: [String: any Sendable] {
    absentKeys.isEmpty ? metadata : UnsaidKeys.noted(absentKeys, in: metadata)
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
