/// Where a page belongs in what is saved.
///
/// Its raw values are those that files have.
public enum PagePosition: String, Sendable, Hashable, Codable, CaseIterable {
  /// In place of everything: it is the first page of a new list.
  case replacing = "only"
  /// After everything.
  case after = "end"
  /// Before everything.
  case before = "start"

  init(_ direction: PageDirection) {
    self = direction == .next ? .after : .before
  }
}
