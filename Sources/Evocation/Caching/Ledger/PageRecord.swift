package import Foundation

/// Where a list can be continued, as a ledger keeps it.
package struct PageRecord: Sendable, Hashable, Codable {
  /// The requirements of the next page as JSON; nil when there is none.
  package var next: Data?

  /// The requirements of the previous page as JSON; nil when there is none.
  package var previous: Data?

  /// The requirements beside the first page, for when the list is cut down to it.
  private var firstNext: Data?
  private var firstPrevious: Data?

  /// How many pages the list has.
  package var count: Int

  /// Tells this list from one that replaced it, whose pages may be asked for in the same way; nil in
  /// files of before there was this property.
  private let generation: UInt64?

  /// Detect that the service's pages lead in a circle.
  private var nextTrail: CycleDetector
  private var previousTrail: CycleDetector

  /// The record of a list's first page.
  init(next: Data?, previous: Data?, generation: UInt64? = nil) {
    self.generation = generation
    self.next = next
    self.previous = previous
    firstNext = next
    firstPrevious = previous
    count = 1
    nextTrail = CycleDetector(next)
    previousTrail = CycleDetector(previous)
  }

  /// The record of the same list's first page alone.
  var first: PageRecord {
    PageRecord(next: firstNext, previous: firstPrevious, generation: generation)
  }

  /// The record of the first page of a list that is not any other.
  static func ofNewList(next: Data?, previous: Data?) -> PageRecord {
    PageRecord(next: next, previous: previous, generation: .random(in: .min ... .max))
  }

  /// Whether it is the same list with one more page.
  package func follows(_ other: PageRecord) -> Bool {
    generation == other.generation && count == other.count.addingClamped(1)
  }

  /// Whether it is the same list, and goes on in a direction as it did then.
  func goesOn(_ direction: PageDirection, like other: PageRecord) -> Bool {
    generation == other.generation && self[direction] == other[direction]
  }

  /// Makes the list continue with a page that was dropped, and is loaded again.
  package mutating func lead(_ direction: PageDirection, to page: Data?) {
    switch direction {
    case .next:
      next = page
      nextTrail = CycleDetector(page)
    case .previous:
      previous = page
      previousTrail = CycleDetector(page)
    }
  }

  subscript(direction: PageDirection) -> Data? {
    direction == .next ? next : previous
  }

  /// Counts another page, after which the list continues with the given one.
  ///
  /// - Returns: False when that page was asked for before: the service leads in a circle.
  mutating func advance(_ direction: PageDirection, to page: Data?) -> Bool {
    count = count.addingClamped(1)
    switch direction {
    case .next:
      next = page
      return nextTrail.advance(page)
    case .previous:
      previous = page
      return previousTrail.advance(page)
    }
  }
}

/// In which direction a list is continued.
package enum PageDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// At its end.
  case next
  /// At its beginning.
  case previous

  /// The direction in which a page continues a list; nil for one that replaces it.
  init?(_ position: PagePosition) {
    switch position {
    case .replacing: return nil
    case .after: self = .next
    case .before: self = .previous
    }
  }

  /// The other direction.
  var opposite: PageDirection { self == .next ? .previous : .next }
}

/// Where a page belongs in the saved list.
///
/// Its raw values are those in files.
public enum PagePosition: String, Sendable, Hashable, Codable, CaseIterable {
  /// In place of the list: it is the first page of a new one.
  case replacing = "only"
  /// After the list.
  case after = "end"
  /// Before the list.
  case before = "start"

  init(_ direction: PageDirection) {
    self = direction == .next ? .after : .before
  }
}

/// Detects that a list's cursors go round in a circle, and remembers only one of them for it.
///
/// It is Brent's algorithm (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980):
/// the remembered cursor is replaced after 1, 2, 4, 8 … steps, so that a circle is found within
/// about three times its length.
struct CycleDetector: Sendable, Hashable, Codable {
  private var remembered: Data?
  private var steps = 0
  private var limit = 1

  init(_ first: Data?) {
    remembered = first
  }

  /// Takes the next cursor; false when it is the remembered one.
  mutating func advance(_ cursor: Data?) -> Bool {
    guard let cursor else { return true }
    if cursor == remembered { return false }
    steps = steps.addingClamped(1)
    // The numbers come from a file, which may hold any.
    if steps >= limit {
      remembered = cursor
      steps = 0
      limit = max(1, limit).addingClamped(max(1, limit))
    }
    return true
  }
}
