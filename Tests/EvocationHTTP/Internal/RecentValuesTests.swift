import Testing

@testable import EvocationHTTP

@Suite struct RecentValuesTests {
  @Test func `ids that look alike have a value each`() {
    var values = RecentValues<Int>(room: 2)
    values["caf\u{E9}"] = 1
    #expect(values["cafe\u{301}"] == nil)
    values["cafe\u{301}"] = 2
    #expect(values["caf\u{E9}"] == 1)
    #expect(values.used("cafe\u{301}") == 2)
  }
}
