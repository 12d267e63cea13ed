package import Foundation

/// A fetched page: its content, and the requirements of the next and the previous page.
///
/// Your source returns one from its fetch, here by page numbers:
///
/// ```swift
/// let answer = try await service.repos(of: requirements.name, page: page.number)
/// return FetchedPage(answer.repos, next: answer.areMorePages ? page.next : nil)
/// ```
public struct FetchedPage<Content: Sendable, PagingRequirements: PageRequirements>: Sendable,
  PlainlyPrinted
{
  /// The content to save.
  public var content: Content

  /// The requirements of the next page; nil, or an empty cursor, when there is none.
  public var next: PagingRequirements?

  /// The requirements of the previous page; nil, or an empty cursor, when there is none.
  public var previous: PagingRequirements?

  /// Creates a page, by default without a next and a previous page.
  public init(
    _ content: Content, next: PagingRequirements? = nil, previous: PagingRequirements? = nil
  ) {
    self.content = content
    self.next = next
    self.previous = previous
  }
}

/// A page whose content and requirements may have any type.
package protocol PageNeighbours {
  /// How many elements the page has; one where its content is no collection.
  var count: Int { get }
  /// The requirements of the next and the previous page; nil for none.
  var nextData: Data? { get }
  var previousData: Data? { get }
}

extension FetchedPage: PageNeighbours {
  package var count: Int { (content as? any Collection)?.count ?? 1 }
  package var nextData: Data? { Self.data(next) }
  package var previousData: Data? { Self.data(previous) }

  /// Encodes a page's requirements for a ``PageRecord``; nil for none.
  package static func data(_ page: PagingRequirements?) -> Data? {
    guard let page, !page.isEnd else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try? encoder.encode(Coded(page: page))
  }

  /// Decodes a page's requirements.
  ///
  /// - Throws: `DecodingError` for data of another kind of paging.
  package static func page(_ data: Data) throws -> PagingRequirements {
    try JSONDecoder().decode(Coded.self, from: data).page
  }

  /// Wraps the requirements in an object, because early JSON allows no other value at the top.
  private struct Coded: Codable {
    let page: PagingRequirements
  }
}
