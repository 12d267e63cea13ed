/// A model of tests of lists: an id and a text.
public struct Listed: Codable, Identifiable, Hashable, Sendable {
  /// Identifies the model.
  public var id: Int

  /// What changes when it is edited.
  public var title: String

  /// Makes a model; without a title by default.
  public init(_ id: Int, _ title: String = "") {
    self.id = id
    self.title = title
  }
}
