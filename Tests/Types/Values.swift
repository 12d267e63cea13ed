import EvocationTesting
import Foundation

/// Values of each kind, of which few are made, so that many meet: the ends of what a kind has among them.
struct Values {
  private var random: SeededGenerator

  /// Whether every optional value is there, and every list has an element.
  private let isFull: Bool

  init(seed: UInt64) {
    (random, isFull) = (SeededGenerator(seed: seed), false)
  }

  /// Creates values for an example of a type, which shows all that it has.
  init(full seed: UInt64) {
    (random, isFull) = (SeededGenerator(seed: seed), true)
  }

  mutating func count(_ range: ClosedRange<Int>) -> Int { random.count(range) }

  mutating func chance(_ percent: Int) -> Bool { random.chance(percent) }

  mutating func isNil() -> Bool { !isFull && random.chance(35) }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[random.count(0...values.count - 1)]
  }

  mutating func bool() -> Bool { random.chance(50) }

  mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
    pick([.min, .max, 0, 1, 2, 3, Number.max / 2, Number(clamping: Int64(1) << 53 + 1)])
  }

  mutating func double() -> Double { pick(Pool.reals) }

  mutating func float() -> Float { pick(Pool.floats) }

  mutating func decimal() -> Decimal { pick(Pool.decimals) }

  mutating func text() -> String { pick(Pool.texts) }

  mutating func date() -> Date { pick(Pool.dates) }

  mutating func uuid() -> UUID { pick(Pool.uuids) }

  mutating func url() -> URL { pick(Pool.urls) }

  mutating func data() -> Data { pick(Pool.data) }

  mutating func range() -> Range<Int> { pick([0..<0, -3..<7, Int.min..<Int.max]) }

  mutating func duration() -> Duration {
    pick([
      .zero, .seconds(3), .nanoseconds(-1),
      Duration(secondsComponent: .max / 2, attosecondsComponent: 7),
    ])
  }

  /// A set of one element at most, because the order of several is not fixed.
  mutating func set() -> Set<Int> { isNil() ? [] : [integer()] }

  mutating func list<Value>(_ make: (inout Values) -> Value) -> [Value] {
    (0..<random.count(isFull ? 1...1 : 0...3)).map { _ in make(&self) }
  }

  mutating func named<Value>(_ make: (inout Values) -> Value) -> [String: Value] {
    var result: [String: Value] = [:]
    for name in ["a", "b/c", "d e", ""] where isFull || random.chance(40) {
      result[name] = make(&self)
    }
    return result
  }

  mutating func numbered<Value>(_ make: (inout Values) -> Value) -> [Int: Value] {
    var result: [Int: Value] = [:]
    for number in [0, -1, .max] where isFull || random.chance(40) { result[number] = make(&self) }
    return result
  }
}

/// Ids: the nth of a kind, of which no two are equal.
extension Values {
  /// How many ids each kind has.
  static let ids = 12

  func integerID<Number: FixedWidthInteger>(_ n: Int) -> Number {
    n < 9 ? Number(n) : n == 9 ? .max : n == 10 ? .min : .max - 1
  }

  func unsignedID(_ n: Int) -> UInt64 { n < 9 ? UInt64(n) : UInt64.max - UInt64(n) }

  func textID(_ n: Int) -> String {
    [
      "a", "A", "é", "e\u{301}", "a/b", "a b", "1", "01", "%20?#", "\u{10FFFF}", "a\0b", "b'\"\\",
    ][n]
  }

  func uuidID(_ n: Int) -> UUID {
    let byte = UInt8(n * 23)
    return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255 - byte))
  }

  func doubleID(_ n: Int) -> Double {
    [0, 1, -1, 0.5, 0.1, 0x1p53, 1e300, -1e300, 2, 3, .leastNonzeroMagnitude, 0.3][n]
  }

  func decimalID(_ n: Int) -> Decimal { n < 9 ? Decimal(n) / 8 : Pool.decimals[n - 9] }
}

/// The values that models and criteria are made of.
enum Pool {
  static let integers: [Int64] = [.min, -(1 << 53) - 1, -1, 0, 1, 2, 3, 1 << 53, .max - 1, .max]
  static let reals: [Double] = [
    -.infinity, -1e300, -0x1p63, -0.5, 0, .leastNonzeroMagnitude, 0.1, 0.1 + 0.2, 0.3, 1, 1.5,
    0x1p53 + 2, 0x1p64, 1e300, .infinity, .nan,
  ]
  static let floats: [Float] = [-.infinity, -1.5, 0, 0.1, 16_777_216, 3e38, .infinity, .nan]
  static let decimals: [Decimal] = [
    "-12345678901234567890.5", "9007199254740993", "0.10000000000000000001", "1e30", "-0.5", "0",
    "0.1", "3", "18446744073709551615",
  ].compactMap { Decimal(string: $0) }
  static let texts: [String] = [
    "", "a", "A", "ab", "a%", "b", "é", "e\u{301}", "\u{10FFFF}", "a'b\"c", "1", "1.5", "nan",
    "null", "a\0b", "\0", "\n\\\u{1F697}", "ẞ", "İ",
  ]
  static let dates: [Date] = [-63_114_076_800, 0, 0.5, -1.5, 1e9, 64_092_211_200].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }
  static let uuids: [UUID] = [
    "00000000-0000-0000-0000-000000000000", "A0000000-0000-0000-0000-0000000000FF",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ].compactMap { UUID(uuidString: $0) }
  static let data: [Data] = [Data(), Data([0]), Data([0, 0]), Data([255]), Data([62, 63, 64])]
  static let urls: [URL] = ["a:", "a:b", "https://example.org/a?b=c", "/p"].compactMap {
    URL(string: $0)
  }
}
