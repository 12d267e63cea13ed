import Evocation
import Foundation

/// Requests the pages of a list, until it has as many models as are wanted, or until its end.
///
/// A list that may be incomplete never ends without an error.
struct HTTPPages {
  /// The request for the current page.
  private(set) var request: HTTPRequest

  private let client: HTTPClient
  private let route: HTTPFormat.Route
  /// The criteria of the current page.
  private var asked: Criteria
  /// The query items of every page, beside those of the criteria.
  private let items: [URLQueryItem]
  /// How many models are wanted in all; nil for all.
  private let wanted: Int?
  /// How many models of the list come before those that are wanted.
  private let start: Int
  /// How many of these are on the first page.
  private var skipped = 0
  /// Whether the caller pages the list itself, with a cursor from the page before.
  private let isOnePage: Bool
  /// Whether the service's total counts the elements of the pages.
  private let countsElements: Bool
  /// Whether the list is read from its beginning, until enough of its models match.
  private let readsOn: Bool
  private var (count, pages, held) = (0, 1, 0)
  /// How many of the models that were read do not match.
  private var unmatched = 0
  /// How many models the service says there are, with the first page and with the last one so far.
  private var total: (first: Int, last: Int)?
  /// Whether the last page was shorter than requested.
  private var wasShort = false
  private var seen: Set<Question>

  /// A request that must not come again in one list.
  private struct Question: Hashable {
    let url: URL
    let body: Data?
  }

  init(
    _ route: HTTPFormat.Route, _ criteria: Criteria, client: HTTPClient,
    items: [URLQueryItem] = [], countsElements: Bool = true, readsOn: Bool = false
  ) throws {
    let filters = client.format.filters
    isOnePage = criteria.cursor != nil
    let offset = max(0, criteria.offset)
    wanted = readsOn ? criteria.limit?.addingClamped(offset) : criteria.limit
    start = readsOn ? 0 : offset
    asked = criteria
    if readsOn { (asked.limit, asked.offset) = (filters.largestPage, 0) }
    if let largest = filters.largestPage, largest > 0, !isOnePage {
      asked.limit = min(asked.limit ?? largest, largest)
      if case .page(_, nil, _) = filters.paging {
        // Only the service knows how long a page is, so a part may begin in the middle of a page.
        skipped = start % largest
        (asked.offset, asked.limit) = (start - skipped, largest)
      }
    }
    (self.client, self.route, self.items) = (client, route, items)
    (self.countsElements, self.readsOn) = (countsElements, readsOn)
    request = try client.request(route, asked, items: items)
    seen = [Question(url: request.url, body: request.body)]
  }

  /// Whether this is the first page, and the request begins at the list's first model.
  var isAtStart: Bool { pages == 1 && asked.offset == 0 && asked.cursor == nil }

  /// Returns the wanted models of a page, when those of the pages before were taken.
  ///
  /// A page that was found by its address is wanted whole, because the next address begins behind all
  /// of it.
  func wanted<Model>(of models: Response<[Model]>, on page: HTTPPage) -> Response<[Model]> {
    guard asked.cursor?.link == nil, !readsOn else { return models }
    let rest = wanted.map { max(0, $0 - count) } ?? page.count
    guard skipped > 0 || rest < page.count else { return models }
    // An element that was left out has its place among the others.
    let places = page.leftOut.places
    let end = skipped.addingClamped(rest)
    let start = skipped - places.count { $0 < skipped }
    return models.part(
      from: start, count: end.subtractingClamped(places.count { $0 < end } + start))
  }

  /// Takes the facts about a page, and finds out whether there is another page.
  ///
  /// - Parameters:
  ///   - page: The page that arrived.
  ///   - size: How many of its bytes stay in memory during the next requests.
  ///   - leftOut: How many of its wanted models do not match.
  /// - Returns: Whether there is another page.
  /// - Throws: An error if the next page is at another service, was read before, or is one too many,
  ///   and if the service says that there are more models: otherwise a part would count as the whole.
  mutating func follow(_ page: HTTPPage, holding size: Int, leftOut: Int = 0) throws -> Bool {
    held += size
    unmatched += leftOut
    let most = client.service.configuration.maximumResponseSize
    guard held <= most else { throw HTTPError(.tooLarge, of: request, reason: "\(most) bytes") }
    guard !isOnePage else { return false }
    try checkLength(of: page)
    try checkTotal(of: page)
    count += max(0, page.count - skipped)
    skipped = 0
    guard matching < wanted ?? .max else { return false }
    guard let next = try following(page) else {
      try checkEnd()
      return false
    }
    let limit = client.format.maximumPages
    let question = Question(url: next.url, body: next.body)
    let isNew = seen.insert(question).inserted || next.headers["Range"] != nil
    guard isNew else {
      throw problem("has pages that form a circle; let the last page name no next one")
    }
    pages += 1
    guard pages <= limit else {
      throw problem("has more than \(limit) pages; ask for a part, or raise maximumPages")
    }
    request = next
    return true
  }

  /// Returns the metadata of the list, whose last page may have more models than were wanted.
  ///
  /// The list then continues at that page.
  func metadata(_ last: [String: any Sendable], of page: HTTPPage) -> [String: any Sendable] {
    var metadata = last
    // The service's total counts what does not match, too.
    if unmatched > 0 { metadata["totalCount"] = nil }
    if metadata["totalCount"] == nil, isWholePart(with: page) {
      metadata["totalCount"] = start.addingClamped(matching)
    }
    if metadata["next"] == nil { metadata["next"] = address(behind: page) }
    guard isCut(page) else { return metadata }
    // The end of the page is behind models that were not wanted, so the list does not end here.
    if (metadata["next"] as? String)?.isEmpty == true { metadata["next"] = nil }
    guard client.format.next != .offset, !isOnePage, pages > 1 || metadata["next"] is URL else {
      return metadata
    }
    metadata["next"] = request.url
    return metadata
  }

  /// Whether the last page has models behind those that were wanted.
  private func isCut(_ page: HTTPPage) -> Bool {
    guard let wanted, asked.cursor?.link == nil else { return false }
    return (isOnePage ? page.count : matching) > wanted
  }

  /// How many models that match were read.
  private var matching: Int { count - unmatched }

  /// Returns the address of the page behind one that names it by a token or by its last model.
  ///
  /// It is empty if the answer says that there is none, and nil if it does not say.
  private func address(behind page: HTTPPage) -> (any Sendable)? {
    let found = page.found
    let next: (name: String, value: String?)
    switch client.format.next {
    case .token(let place, let item, let more):
      let goesOn = more.map { found[$0] != "false" } ?? true
      next = (item, goesOn ? found[place] : nil)
    case .last(let item, let more): next = (item, found[more] == "true" ? page.lastID : nil)
    case .never, .link, .header, .key, .offset, .pages, nil: return nil
    }
    guard let value = next.value, !value.isEmpty else {
      return client.ends.withLock(\.saysNext) ? "" : nil
    }
    let item = HTTPAddress.escaped(next.name) + "="
    let items = request.url.escapedItems.filter { !$0.hasPrefix(item) }
    let query = (items + [item + HTTPAddress.escaped(value)]).joined(separator: "&")
    return client.following("?" + query, page.answer, isGiven: true)
  }

  /// Whether a page says that the list ends with it, or has been read to its end.
  func isEndSaid(by page: HTTPPage) -> Bool {
    if total != nil || pages > 1 { return true }
    return switch client.format.next {
    case nil: false
    case .offset: asked.limit != nil
    case .some(let next): next.isSaid(by: page) || client.ends.withLock(\.saysNext)
    }
  }

  /// Whether a list with a limit ended before it, and the service did not cut it.
  private func isWholePart(with page: HTTPPage) -> Bool {
    guard let wanted, !isOnePage, count > 0, matching < wanted, client.format.next != nil else {
      return false
    }
    return isEndSaid(by: page) || client.ends.withLock { $0.isWhole(count) }
  }
}

/// The facts in a page about the whole list.
struct HTTPPage {
  /// How many elements it has.
  var count = 0
  /// The text of the last model's id.
  var lastID: String?
  var answer: HTTPAnswer
  /// The texts at the requested places of the body.
  var found: [String: String] = [:]
  var metadata: [String: any Sendable] = [:]
  /// The elements that do not decode.
  var leftOut = LeftOut()
}

extension HTTPPages {
  /// Returns the request for the page behind the current one; nil if there is none.
  private mutating func following(_ page: HTTPPage) throws -> HTTPRequest? {
    let link = page.answer.headers["link"].flatMap { LinkHeader.target("next", in: $0) }
    switch client.format.next {
    case .never:
      guard link == nil else {
        throw problem(
          "continues by Link, and the format says that it never does; write format.next = .link"
        )
      }
      return nil
    case nil: return nil
    case .link: return try request(at: link, page)
    case .header(let name): return try request(at: page.answer.headers[name.lowercased()], page)
    case .key(let place): return try request(at: page.found[place], page)
    case .token(let place, let item, let more):
      let token = page.found[place] ?? ""
      guard !token.isEmpty else {
        guard let more, page.found[more] == "true" else { return nil }
        throw problem("continues, by \"\(more)\", and has no \"\(place)\" that names the next page")
      }
      guard more.map({ page.found[$0] != "false" }) ?? true else { return nil }
      return try client.request(
        route, asked, items: items + [URLQueryItem(name: item, value: token)])
    case .last(let item, let more):
      guard page.found[more] == "true" else { return nil }
      guard let id = page.lastID, page.count > 0 else {
        throw problem("continues, by \"\(more)\", and has no model that the next page follows")
      }
      return try client.request(route, asked, items: items + [URLQueryItem(name: item, value: id)])
    case .offset: return try part(behind: page)
    case .pages(let place): return try numbered(behind: page, of: place)
    }
  }

  /// Returns the request for the next page, unless the answer says that there are no more.
  private mutating func numbered(behind page: HTTPPage, of place: String) throws -> HTTPRequest? {
    guard let length = asked.limit, length > 0, let count = page.found[place].flatMap(Int.init)
    else {
      throw problem("has no \"\(place)\" that says how many pages there are")
    }
    let (offset, isOver) = asked.offset.addingReportingOverflow(length)
    guard !isOver, offset / length < count else { return nil }
    asked.offset = offset
    return try client.request(route, asked, items: items)
  }

  /// Returns the request for the next part of a list whose service does not say that it continues.
  ///
  /// A part that is shorter than requested is the last one, if the service is known to return longer
  /// ones or says how many models there are. Otherwise the next part is requested, and has to be empty.
  private mutating func part(behind page: HTTPPage) throws -> HTTPRequest? {
    guard let length = asked.limit, page.count > 0 else { return nil }
    if let total = total?.last, countsElements {
      guard page.count < total - min(max(0, asked.offset), total) else { return nil }
    } else if page.count < length {
      guard page.count >= client.ends.withLock(\.longest) else { return nil }
    }
    client.ends.withLock { $0.recordPart(of: page.count) }
    // A numbered page is followed by the next number, however long it is.
    let step = if case .page = client.format.filters.paging { length } else { page.count }
    let (offset, isOver) = asked.offset.addingReportingOverflow(step)
    guard !isOver else { return nil }
    asked.offset = offset
    return try client.request(route, asked, items: items)
  }

  private func request(at address: String?, _ page: HTTPPage) throws -> HTTPRequest? {
    guard let address, !address.isEmpty else { return nil }
    guard let url = client.following(address, page.answer) else {
      let host = URL(string: address, relativeTo: page.answer.url)?.host()
      throw problem(
        "continues at \(host ?? "another host"), and Evocation does not follow links to other hosts"
      )
    }
    var next = request
    next.url = url
    next.headers["Range"] = nil
    return next
  }
}

extension HTTPPages {
  /// Checks that pages have the requested length.
  private mutating func checkLength(of page: HTTPPage) throws {
    guard let length = asked.limit, client.format.query == nil else { return }
    defer { wasShort = page.count < length }
    let isByNumber =
      if case .page(_, .some, _) = client.format.filters.paging { true } else { false }
    if isByNumber, page.count > length || wasShort && page.count > 0 && start > 0 {
      throw problem(
        "has pages of another length than requested; write filters.paging with size: nil, and the length "
          + "as filters.largestPage")
    }
    guard page.count > length, asked.offset > 0 else { return }
    throw problem(
      "has \(page.count) models where Evocation asked for \(length) after the first \(asked.offset)"
    )
  }

  /// Checks that the list has not become shorter since the last page.
  ///
  /// A removed model moves those behind it to earlier places, so that a page by its place passes over
  /// some. An added model passes over none: the list read to its end then has all of its start.
  private mutating func checkTotal(of page: HTTPPage) throws {
    guard countsElements, let now = page.metadata["totalCount"] as? Int else { return }
    if let last = total?.last, last > now {
      throw HTTPError(
        .incompleteList, method: request.method, url: request.url,
        reason: "had \(last) models, and then \(now), while Evocation read it; read it again",
        failureScope: .service)
    }
    total = (total?.first ?? now, now)
  }

  /// Whether the list became longer while it was read.
  var hasGrown: Bool { total.map { $0.first != $0.last } ?? false }

  /// Checks that a list that has ended has as many models as the service says.
  private func checkEnd() throws {
    guard let total = total?.first else { return }
    let there = max(0, total - start)
    guard count < min(there, readsOn ? .max : wanted ?? .max) else { return }
    throw problem(
      "ends after \(count) of \(there) models; set how lists continue in format.next, or how long "
        + "their pages are in filters.largestPage")
  }

  func problem(_ reason: String) -> HTTPError {
    HTTPError(.incompleteList, of: request, reason: reason)
  }
}
