import Foundation

/// A source of randomness that can be replayed: set `EVOCATION_SEED` to the seed that was printed.
package struct SeededGenerator: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  /// Makes a generator and prints its seed beside the name of what it is for.
  package init(_ name: String) {
    let given = ProcessInfo.processInfo.environment["EVOCATION_SEED"].flatMap { UInt64($0) }
    seed = given ?? .random(in: 0...UInt64.max)
    state = seed
    print("\(name): EVOCATION_SEED=\(seed)")
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// A number that looks like chance, and is always the same for the same value.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of the elements, of which there must be some.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }

  /// True in so many of a hundred cases.
  package mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

  /// A number of the range.
  package mutating func count(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &self)
  }
}
