/// The ids that a stream's events had lately, in their order, and how far each topic was followed.
///
/// A mark says where a model stands. The ids order the marks of several models, so that one connection
/// can begin at the oldest. They are the service's, so their number and length are bounded.
struct LiveMarks {
  private static let (most, longest) = (1000, 1024)

  private var ids: [String?] = []
  private var places: [String: Int] = [:]
  private var count = 0
  private var reached: [String: (mark: String, last: String)] = [:]

  /// The last id, which the service may be asked to go on from.
  private(set) var last: String?

  /// Returns an id that can be a mark: one that a header field can hold.
  static func mark(_ id: String?) -> String? {
    guard let id, !id.isEmpty, id.utf8.count <= longest,
      id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return id
  }

  /// Records the mark of an event.
  mutating func record(_ mark: String) {
    guard mark != last else { return }
    last = mark
    if ids.isEmpty { ids = Array(repeating: nil, count: Self.most) }
    if let old = ids[count % Self.most], places[old] == count - Self.most { places[old] = nil }
    ids[count % Self.most] = mark
    places[mark] = count
    count += 1
  }

  /// Records that all changes of a topic up to the last id have the reader's mark, or an older one.
  mutating func record(_ mark: String?, reachedBy topic: String) {
    reached[topic] = if let mark, let last { (mark, last) } else { nil }
  }

  /// Returns how far a topic was followed when its reader got its last mark.
  ///
  /// The events after that mark were about other topics.
  func last(of topic: String, since mark: String) -> String {
    guard let reached = reached[topic], reached.mark == mark else { return mark }
    return reached.last
  }

  /// Whether a connection that goes on from a mark has all that came after another one.
  func isCovered(_ mark: String, from start: String) -> Bool {
    if mark == start { return true }
    guard let place = places[mark], let first = places[start] else { return false }
    return place >= first
  }

  /// Returns the oldest of some marks; the first one if their order is not known.
  func oldest(_ marks: [String]) -> String? {
    let known = marks.filter { places[$0] != nil }
    return known.min { places[$0, default: 0] < places[$1, default: 0] } ?? marks.first
  }
}
