/// What an answer says about whether its page is the last of a list.
///
/// A short page alone is not: a service may give fewer models than it is asked for.
struct PageEnd {
  let page: ProxyPage
  let count: Int
  /// Whether it has as many models as it was asked for.
  let isFull: Bool
  let size: Int
  /// How many models come before the list.
  let start: Int
  let values: [String: any Sendable]

  /// The fewest models of a page that a service may have cut.
  private static var fewest: Int { 10 }

  var isLastByPosition: Bool {
    // It may be cut if no page before it was full: these then have another length, or its own.
    let isAlike = count > 0 && page.position % count == 0
    let mayBeCut = count >= Self.fewest && (isAlike || page.position % max(1, size) != 0)
    return isEmptyOrSaid ?? isTotalReached ?? (!isFull && !mayBeCut)
  }

  var isLastByNumber: Bool { isEmptyOrSaid ?? isTotalReached ?? !isFull }

  /// A total may count the models after the cursor, or all of them.
  var isLastByCursor: Bool { isEmptyOrSaid ?? (!isFull && total.map { $0 <= count } ?? true) }

  private var isEmptyOrSaid: Bool? {
    if count == 0 { return true }
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
