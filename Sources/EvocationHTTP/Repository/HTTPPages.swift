import Evocation
import Foundation

/// Goes from page to page of a list, until there are as many models as are wanted.
struct HTTPPages {
  /// The request for the present page.
  private(set) var request: HTTPRequest

  private let client: HTTPClient
  /// What the present page was asked for; nil for one that was asked for in another way.
  private var asked: (route: HTTPFormat.Route, criteria: Criteria)?
  /// How many models are wanted in all; nil for all that there are.
  private let wanted: Int?
  private let isOnePage: Bool
  private var (count, pages, held) = (0, 1, 0)
  private var seen: Set<URL>

  init(
    _ route: HTTPFormat.Route, _ criteria: Criteria, _ client: HTTPClient
  ) throws {
    let format = client.format
    isOnePage = criteria.cursor != nil || format.query != nil
    wanted = criteria.limit
    var criteria = criteria
    if let largest = format.filters.largestPage, !isOnePage {
      criteria.limit = min(criteria.limit ?? largest, largest)
    }
    self.client = client
    asked = (route, criteria)
    request = try Self.request(route, criteria, client)
    seen = [request.url]
  }

  /// Goes to all pages that follow a request's.
  init(_ request: HTTPRequest, _ client: HTTPClient) {
    (self.request, self.client) = (request, client)
    (wanted, isOnePage) = (nil, false)
    seen = [request.url]
  }

  /// Whether no page was followed yet: a service that ignores a limit is believed there.
  var isFirst: Bool { pages == 1 }

  /// Takes what was said beside a page, and says whether there is another to ask for.
  ///
  /// - Parameters:
  ///   - metadata: What was said.
  ///   - count: How many models the page had.
  ///   - size: How many bytes of it are held while the next ones are asked for.
  /// - Returns: Whether there is another.
  /// - Throws: Where the next page lies at another service, was there before, or is one too many:
  ///   what there is would be taken for the whole.
  mutating func follow(
    _ metadata: [String: any Sendable], count: Int, holding size: Int
  ) throws -> Bool {
    self.count += count
    held += size
    let most = client.service.configuration.maximumResponseSize
    guard held <= most else { throw HTTPError(.tooLarge, of: request, reason: "\(most) bytes") }
    guard !isOnePage, self.count < wanted ?? .max else { return false }
    guard let next = try following(metadata, count) else { return false }
    guard HTTPAddress.service(of: next.url) == HTTPAddress.service(of: request.url) else {
      throw problem("goes on at \(next.url.host() ?? "another place"), which is not followed")
    }
    let limit = client.format.maximumPages
    let isNew = seen.insert(next.url).inserted || next.headers["Range"] != nil
    guard isNew else { throw problem("goes round in a circle") }
    pages += 1
    guard pages <= limit else {
      throw problem("has more than \(limit) pages; ask for a part, or raise maximumPages")
    }
    request = next
    return true
  }

  /// The answer of all pages, of which the last may have more than was wanted.
  ///
  /// What goes on after it then goes on at that page.
  func answer<Model>(_ all: Response<[Model]>) -> Response<[Model]> {
    guard let wanted, all.value.count > wanted, pages > 1 else { return all }
    var part = all.prefix(wanted)
    if client.format.next != .offset { part.metadata["next"] = request.url }
    return part
  }

  /// The request for the page behind the present one.
  private mutating func following(
    _ metadata: [String: any Sendable], _ count: Int
  ) throws -> HTTPRequest? {
    if case .offset = client.format.next {
      guard case .some((let route, var criteria)) = asked, let length = criteria.limit,
        count >= length
      else {
        return nil
      }
      let (offset, isOver) = criteria.offset.addingReportingOverflow(count)
      guard !isOver else { return nil }
      criteria.offset = offset
      asked = (route, criteria)
      return try Self.request(route, criteria, client)
    }
    guard let url = metadata["next"] as? URL else { return nil }
    var next = request
    next.url = url
    next.headers["Range"] = nil
    return next
  }

  private static func request(
    _ route: HTTPFormat.Route, _ criteria: Criteria, _ client: HTTPClient
  ) throws -> HTTPRequest {
    let query = try client.format.written(criteria, names: client.names)
    return try client.request(route, query: query)
  }

  private func problem(_ reason: String) -> HTTPError {
    HTTPError(.incompleteList, of: request, reason: reason)
  }
}
