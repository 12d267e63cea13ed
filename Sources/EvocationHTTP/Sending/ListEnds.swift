import Foundation

/// What one repository knows about the ends of its service's lists.
///
/// A list that says nothing about a further page may be the whole list, or as much as the service
/// gives in one answer. Evocation finds out by one more request behind it. There are four cases in
/// which it need not ask: a list of fewer than ten models, which no service cuts; a list shorter than
/// one that the service gave in one answer; a list of that length at an address where nothing came
/// behind it; and a list as long as those that the service is known to cut.
struct ListEnds {
  /// What to do about a list that says nothing about its end.
  enum Verdict: Equatable {
    case whole
    case askBehind
    case cut
  }

  /// The shortest list that a service may have cut.
  static let shortestCut = 10

  /// The length of the longest part of a list so far.
  private(set) var longest = 0
  /// The addresses of lists of that length behind which there is nothing.
  private var ended: Set<URL> = []
  /// The length at which the service cuts lists, with the error that says so; nil if it is not known.
  private(set) var cut: (count: Int, error: HTTPError)?
  /// Whether the service has ever said that a list continues, or that it ends.
  var saysNext = false

  /// Whether a list of that length cannot have been cut.
  func isWhole(_ count: Int) -> Bool {
    count < Self.shortestCut || count < longest && count < cut?.count ?? .max
  }

  func verdict(_ count: Int, at url: URL) -> Verdict {
    if let cut, count >= cut.count { return .cut }
    return isWhole(count) || count == longest && ended.contains(url) ? .whole : .askBehind
  }

  /// Records the length of a part of a list.
  mutating func recordPart(of count: Int) {
    guard count > longest else { return }
    (longest, ended) = (count, [])
  }

  /// Records that nothing is behind a list of that length.
  mutating func recordEnd(of count: Int, at url: URL) {
    recordPart(of: count)
    if count == longest { ended.insert(url) }
  }

  /// Records that the service cut a list of that length.
  mutating func recordCut(of count: Int, _ error: HTTPError) {
    if count < cut?.count ?? .max { cut = (count, error) }
  }
}
