/// The values that a type is decoded from where several are possible.
///
/// A type may ask for other keys where another value stands under one. There are three cases: a key
/// holds an enum, a Boolean or something with one of these, a key may be absent, and the type asks
/// which keys there are, as an enum with payloads does.
final class ProbeChoices {
  /// What a run may choose.
  enum Aspect {
    case value, presence, onlyKey
  }

  /// A key under which a run may take another value, or none, or an object that has one of several.
  struct Place: Hashable {
    /// The key, after those of the containers around it.
    let name: String
    let aspect: Aspect
  }

  /// The place, and how many choices there are.
  typealias Point = (place: Place, count: Int)

  /// The positions of the values to take; the first one elsewhere.
  let taken: [Place: Int]

  /// The points in the order in which the type came to them.
  private(set) var points: [Point] = []

  /// Whether every key that may be absent is.
  private let omitsOptionals: Bool

  init(_ taken: [Place: Int] = [:], omitsOptionals: Bool = false) {
    (self.taken, self.omitsOptionals) = (taken, omitsOptionals)
  }

  /// Returns which of several values to take under a key.
  func choose(_ name: String, of count: Int) -> Int {
    choose(Place(name: name, aspect: .value), of: count)
  }

  /// Returns which of several keys an object has.
  func chooseKey(of object: String, among count: Int) -> Int {
    choose(Place(name: object, aspect: .onlyKey), of: count)
  }

  /// Returns whether a key that may be absent is there.
  func isPresent(_ name: String, usually: Bool) -> Bool {
    if omitsOptionals { return false }
    return (choose(Place(name: name, aspect: .presence), of: 2) == 0) == usually
  }

  private func choose(_ place: Place, of count: Int) -> Int {
    if !points.contains(where: { $0.place == place }) { points.append((place, count)) }
    return taken.isEmpty ? 0 : min(taken[place] ?? 0, count - 1)
  }
}
