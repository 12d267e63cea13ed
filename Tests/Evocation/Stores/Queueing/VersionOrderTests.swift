import Evocation
import Testing

@testable import CoreSupport
@testable import EvocationStores

/// Which of two versions is older, as far as they say it.
@Suite struct VersionOrderTests {
  @Test(
    arguments: [
      ("9", "10", true), ("10", "9", false), ("10", "10", false), ("-1", "0", true),
      ("2026-01-31 12:00:00.000Z", "2026-01-31 12:00:00.001Z", true),
      ("2026-01-31 12:00:00.001Z", "2026-01-31 12:00:00.000Z", false),
      ("2026-01-31", "2026-02-01 00:00:00Z", false), ("\"abc\"", "\"abd\"", false),
      ("1f00-abcdef", "1f01-abcdef", false), ("", "1", false),
      ("99999999999999999999", "100000000000000000000", false),
    ])
  func `Numbers and dates of one form have an order, and nothing else has`(
    version: String, other: String, isOlder: Bool
  ) {
    #expect(VersionOrder.isOlder(version, than: other) == isOlder)
  }
}
