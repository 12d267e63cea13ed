import Testing

@testable import Evocation

/// Marks since which nothing was written, and what becomes of them.
struct QuietMarksTests {
  @Test func `a mark has no number until something is written after it`() {
    var marks = QuietMarks()
    let (first, second) = (marks.mark(), marks.mark())
    #expect(marks.number(of: first) == nil && marks.number(of: second) == nil && marks.marks == 2)
    marks.begin(after: 7)
    let third = marks.mark()
    #expect(marks.number(of: first) == 7 && marks.number(of: second) == 7)
    #expect(marks.number(of: third) == nil && marks.marks == 1)
  }

  @Test func `a mark is given back to whom it belongs to, and nothing is left of it`() {
    var marks = QuietMarks()
    let (first, second) = (marks.mark(), marks.mark())
    #expect(marks.release(first) == nil && marks.isMarked)
    marks.begin(after: 3)
    let third = marks.mark()
    #expect(marks.release(second) == 3)
    #expect(marks.number(of: second) == nil && marks.isMarked)
    #expect(marks.release(third) == nil && !marks.isMarked)
  }

  @Test func `what is written while there is no mark begins nothing`() {
    var marks = QuietMarks()
    marks.begin(after: 0)
    #expect(!marks.isMarked)
    let mark = marks.mark()
    #expect(marks.number(of: mark) == nil)
  }
}
