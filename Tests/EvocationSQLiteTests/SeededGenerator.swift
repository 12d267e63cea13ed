import Foundation

/// Numbers that look random and come again with the same seed, which it prints.
///
/// `EVOCATION_SEED` in the environment replays a run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(for name: String) {
    let given = ProcessInfo.processInfo.environment["EVOCATION_SEED"].flatMap(UInt64.init)
    let seed = given ?? .random(in: 0...UInt64.max)
    print("\(name): EVOCATION_SEED=\(seed)")
    state = seed
  }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let mixed = (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return mixed ^ (mixed >> 33)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(next() % UInt64(elements.count))]
  }

  mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }

  mutating func count(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
}
