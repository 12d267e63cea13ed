package import Foundation

/// Where a list continues, as a ledger keeps it.
package struct PageRecord: Sendable, Hashable, Codable {
  /// The requirements of the next page as JSON; nil when there is none.
  package var next: Data?

  /// The requirements of the previous page as JSON; nil when there is none.
  package var previous: Data?

  /// The requirements of the pages beside the first page, for when the list is cut down to it.
  private var firstNext: Data?
  private var firstPrevious: Data?

  /// How many pages the list has.
  package var count: Int

  /// Distinguishes this list from one that replaced it, whose pages may have the same requirements.
  ///
  /// Nil in files from before there was this property.
  private let generation: UInt64?

  /// These detect that the service's pages form a circle.
  private var nextTrail: CycleDetector
  private var previousTrail: CycleDetector

  /// Creates the record of a list's first page.
  package init(next: Data?, previous: Data?, generation: UInt64? = nil) {
    self.generation = generation
    self.next = next
    self.previous = previous
    firstNext = next
    firstPrevious = previous
    count = 1
    nextTrail = CycleDetector(next)
    previousTrail = CycleDetector(previous)
  }

  /// The record of the same list, cut down to its first page.
  package var first: PageRecord {
    PageRecord(next: firstNext, previous: firstPrevious, generation: generation)
  }

  /// Returns the record of the first page of a list that differs from every other list.
  package static func ofNewList(next: Data?, previous: Data?) -> PageRecord {
    PageRecord(next: next, previous: previous, generation: .random(in: .min ... .max))
  }

  /// Whether it is the same list, and continues in a direction with the same page.
  package func goesOn(_ direction: PageDirection, like other: PageRecord) -> Bool {
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

  /// The requirements of the page at a position; nil for one that replaces the list.
  package subscript(position: PagePosition) -> Data? {
    PageDirection(position).flatMap { self[$0] }
  }

  /// Counts another page, after which the list continues with the given one.
  ///
  /// - Returns: False when that page was requested before: the service's pages form a circle.
  package mutating func advance(_ direction: PageDirection, to page: Data?) -> Bool {
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

/// The direction in which a list is continued.
package enum PageDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// At its end.
  case next
  /// At its beginning.
  case previous

  /// Creates the direction in which a page continues a list; nil for a page that replaces it.
  package init?(_ position: PagePosition) {
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
/// Files contain its raw values.
///
/// Your store of a list inserts each page at its position:
///
/// ```swift
/// switch place {
/// case .replacing: repos = new
/// case .after: repos += new
/// case .before: repos = new + repos
/// }
/// ```
public enum PagePosition: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
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

/// Detects that a list's cursors form a circle, and remembers only one cursor for that.
///
/// It is Brent's algorithm (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980):
/// it replaces the remembered cursor after 1, 2, 4, 8 … steps, and so finds a circle within about
/// three times its length.
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
    // The numbers come from a file, which may contain any.
    if steps >= limit {
      remembered = cursor
      steps = 0
      limit = max(1, limit).addingClamped(max(1, limit))
    }
    return true
  }
}
