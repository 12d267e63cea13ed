import Foundation

/// A list of ids, page by page.
struct ListContents: Sendable {
  private struct Page: Sendable {
    let requirements: Data
    var ids: [ModelID]
  }

  /// The first page that was saved has the number zero, so numbers stay when pages come before it.
  private var pages: [Page]
  private var firstNumber = 0
  private var numbers: [ModelID: Int] = [:]

  /// The requirements of the pages that were dropped from the start, the nearest last.
  private var dropped: [Data] = []

  /// Creates a list of one page; each id occurs once.
  init(_ ids: [ModelID], _ requirements: Data) {
    pages = [Page(requirements: requirements, ids: ids)]
    for id in ids { numbers[id] = 0 }
  }

  var count: Int { numbers.count }
  var pageCount: Int { pages.count }
  var ids: some Sequence<ModelID> { pages.lazy.flatMap(\.ids) }

  func contains(_ id: ModelID) -> Bool { numbers[id] != nil }

  /// Returns the ids in this range, which must be in the list.
  func ids(in range: Range<Int>) -> [ModelID] {
    var result: [ModelID] = []
    var start = 0
    for page in pages {
      let end = start + page.ids.count
      if start >= range.upperBound { break }
      if end > range.lowerBound {
        let first = max(range.lowerBound, start) - start
        result += page.ids[first..<min(range.upperBound, end) - start]
      }
      start = end
    }
    return result
  }

  /// Removes an id; false when it was not in the list.
  mutating func remove(_ id: ModelID) -> Bool {
    guard let number = numbers.removeValue(forKey: id) else { return false }
    pages[number - firstNumber].ids.removeAll { $0 == id }
    return true
  }

  /// Adds a page at one end of the list.
  ///
  /// At the opposite end, it drops pages beyond the limit, and records where the list continues
  /// there.
  mutating func add(
    _ ids: [ModelID], _ requirements: Data, direction: PageDirection, keeping limit: Int?,
    record: inout PageRecord?
  ) {
    for id in ids { _ = remove(id) }
    let page = Page(requirements: requirements, ids: ids)
    switch direction {
    case .next: pages.append(page)
    case .previous:
      pages.insert(page, at: 0)
      firstNumber -= 1
      if dropped.popLast() != nil, let next = dropped.last { record?.lead(.previous, to: next) }
    }
    let number = direction == .next ? firstNumber + pages.count - 1 : firstNumber
    for id in ids { numbers[id] = number }
    while let limit, pages.count > max(1, limit) { drop(direction, &record) }
  }

  /// Keeps only the first page; false when the first page was dropped before.
  mutating func cut() -> Bool {
    guard pages.indices.contains(-firstNumber) else { return false }
    let first = pages[-firstNumber]
    self = ListContents(first.ids, first.requirements)
    return true
  }

  private mutating func drop(_ direction: PageDirection, _ record: inout PageRecord?) {
    let page = direction == .next ? pages.removeFirst() : pages.removeLast()
    for id in page.ids { numbers[id] = nil }
    if direction == .next {
      firstNumber += 1
      dropped.append(page.requirements)
    }
    record?.lead(direction.opposite, to: page.requirements)
  }
}
