import Foundation

/// Random numbers that can be repeated: set `EVOCATION_SEED` to the seed that was printed.
///
/// ```swift
/// var random = SeededGenerator("cars come and go")  // cars come and go: EVOCATION_SEED=…
/// let car = cars.randomElement(using: &random)
/// let isRemoved = random.chance(30)
/// let count = random.count(1...5)
/// ```
///
/// Pass it wherever a `RandomNumberGenerator` is taken. The same seed gives the same numbers on
/// every platform.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed, from which all numbers follow.
  public let seed: UInt64

  private var state: UInt64

  /// Makes a generator, and prints its seed with the name of what it is for.
  ///
  /// The seed is that of the environment's `EVOCATION_SEED`, or else a random one.
  public init(_ name: String) {
    let given = ProcessInfo.processInfo.environment["EVOCATION_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? .random(in: 0...UInt64.max))
    print("\(name): EVOCATION_SEED=\(seed)")
  }

  /// Makes a generator of this seed, and prints nothing.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// A number that looks random, and is always the same for the same value.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of the elements, of which there must be some.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    precondition(!elements.isEmpty, "There is nothing to pick from.")
    return elements[Int(next() % UInt64(elements.count))]
  }

  /// True in this many of a hundred cases.
  public mutating func chance(_ percent: Int) -> Bool { next() % 100 < UInt64(max(0, percent)) }

  /// A number of the range.
  public mutating func count(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &self)
  }
}
