public import Foundation

/// Where a list can be continued, as it is kept in a ledger.
public struct PageRecord: Sendable, Hashable, Codable {
  /// What the next page is asked for with, as JSON; nil when there is none.
  public var next: Data?

  /// What the previous page is asked for with, as JSON; nil when there is none.
  public var previous: Data?

  /// What stood beside the first page, to which the list can be cut down.
  private var firstNext: Data?
  private var firstPrevious: Data?

  /// How many pages the list has.
  public var count: Int

  /// By which it is seen that the service leads in a circle.
  var nextTrail: CycleDetector
  var previousTrail: CycleDetector

  /// The record of a list's first page.
  init(next: Data?, previous: Data?) {
    self.next = next
    self.previous = previous
    firstNext = next
    firstPrevious = previous
    count = 1
    nextTrail = CycleDetector(next)
    previousTrail = CycleDetector(previous)
  }

  /// The record of the same list's first page alone.
  var first: PageRecord { PageRecord(next: firstNext, previous: firstPrevious) }

  /// Lets the list go on elsewhere: with a page that was there before and is loaded again.
  public mutating func lead(_ direction: PageDirection, to page: Data?) {
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

  /// The list has another page in a direction, and what comes after it is known.
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
