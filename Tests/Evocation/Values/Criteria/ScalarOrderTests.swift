import Evocation
import Foundation
import Testing

@Suite struct ScalarOrderTests {
  /// Groups of equal values, the least group first.
  private static let ranked: [[Criteria.Scalar]] = [
    [.null],
    [.real(-.infinity)],
    [.real(-1e300)],
    [.integer(.min), .real(-9_223_372_036_854_775_808)],
    [.decimal(Decimal(sign: .minus, exponent: -1, significand: 15)), .real(-1.5)],
    [.integer(-1), .real(-1), .decimal(-1)],
    [.real(-0.0), .real(0), .integer(0), .unsigned(0), .decimal(0), .bool(false)],
    [.real(.leastNonzeroMagnitude)],
    [.decimal(Decimal(sign: .plus, exponent: -1, significand: 1)), .real(0.1)],
    [.integer(1), .bool(true), .real(1), .unsigned(1), .decimal(1)],
    [.integer(9_007_199_254_740_992), .real(9_007_199_254_740_992)],
    [.integer(9_007_199_254_740_993), .decimal(Decimal(9_007_199_254_740_993 as Int64))],
    [.integer(9_007_199_254_740_994), .real(9_007_199_254_740_994)],
    [.integer(.max), .unsigned(UInt64(Int64.max))],
    [.unsigned(9_223_372_036_854_775_808), .real(9_223_372_036_854_775_808)],
    [.unsigned(.max), .decimal(Decimal(UInt64.max))],
    [.real(18_446_744_073_709_551_616)],
    [.real(1e300)],
    [.real(.infinity)],
    [.real(.nan), .decimal(.nan), .real(-.nan)],
    [.text("")],
    [.text("A")],
    [.text("a")],
    [.text("a\0")],
    [.text("a\0b")],
    [.text("e\u{301}")],
    [.text("z")],
    [.text("\u{e9}")],
    [.text("\u{ffff}")],
    [.text("\u{10000}")],
  ]

  @Test func `values of all kinds stand in one order, each pair of them`() {
    for (first, lefts) in Self.ranked.enumerated() {
      for (second, rights) in Self.ranked.enumerated() {
        let expected: ScalarOrder = first < second ? .less : first == second ? .same : .greater
        for left in lefts {
          for right in rights {
            // A tiny number is below what a decimal has room for, and counts as the decimal it is.
            if Self.isTiny(left) || Self.isTiny(right) { continue }
            #expect(ScalarOrder.of(left, right) == expected, "\(left) and \(right)")
            if expected == .same {
              #expect(ModelID([left]).hashValue == ModelID([right]).hashValue)
            }
          }
        }
      }
    }
  }

  private static func isTiny(_ scalar: Criteria.Scalar) -> Bool {
    scalar == .real(.leastNonzeroMagnitude)
  }

  @Test func `UUIDs, data, dates and URLs compare by what they are made of`() throws {
    let low = try #require(UUID(uuidString: "00000000-0000-0000-0000-0000000000FF"))
    let high = try #require(UUID(uuidString: "01000000-0000-0000-0000-000000000000"))
    let link = try #require(URL(string: "http://a/"))
    #expect(ScalarOrder.of(.uuid(low), .uuid(high)) == .less)
    #expect(ScalarOrder.of(.data(Data([1])), .data(Data([1, 0]))) == .less)
    #expect(ScalarOrder.of(.data(Data([255])), .data(Data([1, 0]))) == .greater)
    #expect(ScalarOrder.of(.data(Data()), .data(Data())) == .same)
    #expect(ScalarOrder.of(.date(.distantPast), .date(.distantFuture)) == .less)
    #expect(ScalarOrder.of(.url(link), .text("http://a/")) == .same)
    #expect(ScalarOrder.of(.uuid(low), .text(low.uuidString)) == .same)
  }

  @Test func `nested values are as JSON has them`() throws {
    let id = UUID()
    let link = try #require(URL(string: "http://a/"))
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    let pairs: [(Criteria.Scalar, Criteria.Scalar)] = [
      (.null, .null), (.bool(true), .integer(1)), (.bool(false), .integer(0)),
      (.integer(3), .integer(3)), (.unsigned(.max), .real(18_446_744_073_709_551_616)),
      (.real(1.5), .real(1.5)), (.decimal(Decimal(string: "0.1") ?? 0), .real(0.1)),
      (.text("a"), .text("a")), (.date(date), .real(1.5)), (.uuid(id), .text(id.uuidString)),
      (.data(Data([1, 2])), .text("AQI=")), (.url(link), .text("http://a/")),
    ]
    for (value, form) in pairs { #expect(Criteria.Scalar.nestedForm(value) == form) }
  }
}
