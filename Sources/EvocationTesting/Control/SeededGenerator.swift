import Foundation

/// Random numbers that you can repeat, by setting `EVOCATION_SEED` to the printed seed.
///
/// ```swift
/// var random = SeededGenerator("cars come and go")  // cars come and go: EVOCATION_SEED=…
/// let car = cars.randomElement(using: &random)
/// let isRemoved = random.chance(30)
/// let count = random.count(1...5)
/// ```
///
/// Pass it to every function that takes a `RandomNumberGenerator`. The same seed produces the same
/// numbers on every platform.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed that determines all numbers.
  public let seed: UInt64

  private var state: UInt64

  /// Creates a generator, and prints its seed with this name.
  ///
  /// The seed is the environment variable `EVOCATION_SEED`, or else random. If the variable is not a
  /// whole number, the line says so.
  public init(_ name: String) {
    let said = ProcessInfo.processInfo.environment["EVOCATION_SEED"]
    let given = said.flatMap { UInt64($0) }
    self.init(seed: given ?? .random(in: 0...UInt64.max))
    let isOdd = said != nil && given == nil
    print("\(name): EVOCATION_SEED=\(seed)\(isOdd ? " (the given one is not a whole number)" : "")")
  }

  /// Creates a generator with this seed, and prints nothing.
  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Returns a number that looks random, and is always the same for the same value.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns one of the elements, which must not be empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    precondition(!elements.isEmpty, "There is nothing to pick from.")
    return elements[Int(next() % UInt64(elements.count))]
  }

  /// Returns true in this many of a hundred cases.
  public mutating func chance(_ percent: Int) -> Bool { next() % 100 < UInt64(max(0, percent)) }

  /// Returns a number in the range.
  public mutating func count(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
}
