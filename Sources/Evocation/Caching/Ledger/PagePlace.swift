/// Where a page belongs in what is saved.
public enum PagePlace: String, Sendable, Hashable, Codable, CaseIterable {
  /// In place of everything: it is the first page of a new list.
  case only
  /// After everything.
  case end
  /// Before everything.
  case start

  init(_ direction: PageDirection) {
    self = direction == .next ? .end : .start
  }
}
