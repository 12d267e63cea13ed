/// What an answer says about whether its page is the last of a list.
///
/// A short page alone is not: a service may give fewer models than it is asked for.
struct PageEnd {
  let page: ProxyPage
  let count: Int
  /// How many more it had that do not match.
  let unmatched: Int
  /// Whether it has as many models as it was asked for.
  let isFull: Bool
  let size: Int
  /// How many models come before the list.
  let start: Int
  let values: [String: any Sendable]

  /// The fewest models of a page that a service may have cut.
  private static var fewest: Int { 10 }

  var isLastByPosition: Bool { isEmptyOrSaid ?? isTotalReached ?? (!isFull && !mayBeCut) }

  /// Whether the service may have cut the page: no page before it was full, so that these have another
  /// length, or its own.
  private var mayBeCut: Bool {
    let isAlike = count > 0 && page.position % count == 0
    return count >= Self.fewest && (isAlike || page.position % max(1, size) != 0)
  }

  /// A total may count the models after the cursor, or all of them.
  var isLastByCursor: Bool {
    (count == 0 && unmatched > 0 ? said : isEmptyOrSaid)
      ?? (!isFull && total.map { $0 <= count } ?? !mayBeCut)
  }

  private var isEmptyOrSaid: Bool? { count == 0 ? true : said }

  private var said: Bool? {
    switch values["next"] {
    case let text as String: return text.isEmpty
    case .some: return false
    case nil: return nil
    }
  }

  private var isTotalReached: Bool? {
    total.map { $0 <= start.addingClamped(page.position).addingClamped(count) }
  }

  private var total: Int? { values["totalCount"] as? Int }
}
