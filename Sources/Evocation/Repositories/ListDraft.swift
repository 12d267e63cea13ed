public import Foundation

/// How far a list has been fetched that is to take another's place.
public struct ListDraft: Sendable, Hashable, Codable {
  /// When its first page was fetched.
  public var begunAt: Date

  /// Whether the list was declared stale when the draft was begun.
  public var isOfInvalidated: Bool

  /// Where it is to be continued, and how many pages it has.
  public var pages: PageRecord

  /// Makes a draft of one page.
  public init(begunAt: Date, isOfInvalidated: Bool, pages: PageRecord) {
    self.begunAt = begunAt
    self.isOfInvalidated = isOfInvalidated
    self.pages = pages
  }
}
