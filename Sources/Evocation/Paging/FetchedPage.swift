/// What fetching one page gave: its content, and the pages on either side.
public struct FetchedPage<Content: Sendable, PagingRequirements: PageRequirements>: Sendable {
  /// What is to be saved.
  public var content: Content

  /// What the next page is asked for with; nil, or an empty cursor, when there is none.
  public var next: PagingRequirements?

  /// What the previous page is asked for with; nil, or an empty cursor, when there is none.
  public var previous: PagingRequirements?

  /// Makes a page; without a next and a previous page unless told otherwise.
  public init(
    _ content: Content, next: PagingRequirements? = nil, previous: PagingRequirements? = nil
  ) {
    self.content = content
    self.next = next
    self.previous = previous
  }
}
