/// The values that a type is decoded from where several are possible.
///
/// A type may ask for other keys where another value stands under one. There are two cases: a key
/// holds an enum, a Boolean or something with one of these, and a key may be absent.
final class ProbeChoices {
  /// A key under which several values are possible, or none.
  struct Point {
    let name: String
    let count: Int

    /// Whether the key's presence is the choice, and not its value.
    var isPresence: Bool { name.utf8.first == ProbeChoices.presence }
  }

  private static let presence = UInt8(ascii: "?")

  /// The positions of the values to take, by the names of points; the first one elsewhere.
  let taken: [String: Int]

  /// The points in the order in which the type came to them.
  private(set) var points: [Point] = []

  /// Whether every key that may be absent is.
  private let omitsOptionals: Bool

  init(_ taken: [String: Int] = [:], omitsOptionals: Bool = false) {
    (self.taken, self.omitsOptionals) = (taken, omitsOptionals)
  }

  /// Returns which of several values to take under a key.
  func choose(_ name: String, of count: Int) -> Int {
    if !points.contains(where: { $0.name == name }) {
      points.append(Point(name: name, count: count))
    }
    return min(taken[name] ?? 0, count - 1)
  }

  /// Returns whether a key that may be absent is there.
  func isPresent(_ name: String, usually: Bool) -> Bool {
    if omitsOptionals { return false }
    return (choose("?" + name, of: 2) == 0) == usually
  }
}
