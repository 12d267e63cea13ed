import Foundation

/// Finds out whether a list's cursors go round, with one cursor remembered of however many.
///
/// It is Brent's algorithm (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980): the
/// remembered cursor is moved on after 1, 2, 4, 8 … steps, so that a circle is met within about
/// three times its length.
struct CycleDetector: Sendable, Hashable, Codable {
  private var remembered: Data?
  private var steps = 0
  private var limit = 1

  init(_ first: Data?) {
    remembered = first
  }

  /// Takes the next cursor, and answers false when it is the remembered one.
  mutating func advance(_ cursor: Data?) -> Bool {
    guard let cursor else { return true }
    if cursor == remembered { return false }
    steps = steps.addingClamped(1)
    // What a file holds may be any number.
    if steps >= limit {
      remembered = cursor
      steps = 0
      limit = max(1, limit).addingClamped(max(1, limit))
    }
    return true
  }
}
