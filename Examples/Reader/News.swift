import Fixtures

/// What other devices changed since the user's last key, as a line of the screen.
struct News: Equatable, Sendable {
  private var names: [String: String] = [:]
  private var stars: [String: Bool] = [:]
  /// The airports whose star the user has just given or removed, which is no news.
  private var expected: Set<String> = []

  /// Adds the airports that have other names than before: the user cannot rename any.
  mutating func take(_ airports: [Airport], after former: [Airport]) {
    let known = Dictionary(former.map { ($0.id, $0.name) }) { $1 }
    for airport in airports {
      guard let name = known[airport.id], name != airport.name else { continue }
      names[airport.id] = airport.name
    }
  }

  /// Adds the stars that were given or removed, if the stars before are known.
  mutating func take(_ given: Set<String>?, after former: Set<String>?) {
    guard let given, let former else { return }
    for id in given.symmetricDifference(former) where expected.remove(id) == nil {
      stars[id] = given.contains(id)
    }
  }

  /// Removes the news, because the user has pressed a key.
  mutating func clear() { (names, stars) = ([:], [:]) }

  /// Expects the star of an airport to change, because the user has asked for it.
  mutating func expectStar(of airport: Airport) { expected.insert(airport.id) }

  /// The news as text, in the same order at any time; nil if there are none.
  var line: String? {
    let renamed = names.sorted { $0.key < $1.key }.map { "\($0.key) is now \($0.value)" }
    let starred = stars.sorted { $0.key < $1.key }
      .map { $0.value ? "\($0.key) got a star" : "\($0.key) lost its star" }
    let all = renamed + starred
    return all.isEmpty ? nil : "↯ another device: " + all.joined(separator: ", ")
  }
}
