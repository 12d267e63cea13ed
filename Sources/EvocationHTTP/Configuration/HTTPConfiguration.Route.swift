extension HTTPConfiguration {
  /// The method and the path of one kind of call.
  public struct Route: Sendable, Hashable {
    /// The HTTP method, such as `PATCH`.
    public var method: String

    /// The path below the base URL: `{path}` is the repository's path, `{id}` the model's id.
    public var path: String

    /// Whether a write's answer holds the models; if not, it counts as what was sent.
    public var answersModels: Bool

    /// Whether properties that are nil are sent as `null`, rather than left out.
    ///
    /// A service that merges what it is sent would otherwise keep the value that was taken away.
    /// It concerns the model's own properties, not those of the values inside them.
    public var writesNulls: Bool

    /// Makes a route.
    public init(
      _ method: String,
      _ path: String = "{path}",
      answersModels: Bool = true,
      writesNulls: Bool = false
    ) {
      self.method = method
      self.path = path
      self.answersModels = answersModels
      self.writesNulls = writesNulls
    }

    var namesModel: Bool { path.contains("{id}") }
  }
}
