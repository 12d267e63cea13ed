import Testing

@testable import EvocationHTTP

@Suite struct LiveMarksTests {
  @Test func `Marks have the order of their events, of which the last thousand are known`() {
    var marks = LiveMarks()
    #expect(marks.oldest([]) == nil)
    #expect(marks.oldest(["b", "a"]) == "b")
    for number in 1...1500 { marks.record("\(number)") }
    #expect(marks.last == "1500")
    #expect(marks.oldest(["1400", "900", "7"]) == "900")
    #expect(marks.oldest(["7", "8"]) == "7")
    #expect(marks.isCovered("1400", from: "900"))
    #expect(!marks.isCovered("900", from: "1400"))
    #expect(!marks.isCovered("1400", from: "7"))
    #expect(marks.isCovered("7", from: "7"))
  }

  @Test func `An id that comes again has its last place`() {
    var marks = LiveMarks()
    for mark in ["a", "b", "b", "a"] { marks.record(mark) }
    #expect(marks.oldest(["a", "b"]) == "b")
    for number in 1...1000 { marks.record("\(number)") }
    #expect(!marks.isCovered("1", from: "a"))
    #expect(marks.isCovered("2", from: "1"))
  }
}
