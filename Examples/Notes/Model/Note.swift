public import Foundation

/// A note, as the server, the file on the device and the screens have it.
public struct Note: Codable, Identifiable, Hashable, Sendable {
  /// The id, which never changes.
  public let id: UUID
  /// The title, by which the list is sorted.
  public var title: String
  /// The text below the title.
  public var text: String

  /// Creates a note; its id is made here, so that it has one before the server has heard of it.
  public init(id: UUID = UUID(), title: String = "", text: String = "") {
    self.id = id
    self.title = title
    self.text = text
  }
}
