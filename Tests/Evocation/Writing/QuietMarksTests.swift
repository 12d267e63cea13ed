import Testing

@testable import Evocation

/// Marks since which nothing was written, and what becomes of them.
struct QuietMarksTests {
  @Test func `a mark has no number until something is written after it`() {
    var marks = QuietMarks()
    var last: UInt64 = 6
    let (first, second) = (marks.mark(), marks.mark())
    #expect(marks.number(of: first) == nil && marks.number(of: second) == nil)
    marks.number {
      last += 1
      return last
    }
    let third = marks.mark()
    #expect(marks.number(of: first) == 7 && marks.number(of: second) == 8)
    #expect(marks.number(of: third) == nil)
  }

  @Test func `a mark is given back to whom it belongs to, and nothing is left of it`() {
    var marks = QuietMarks()
    let (first, second) = (marks.mark(), marks.mark())
    #expect(marks.release(first) == nil && marks.isMarked)
    marks.number { 3 }
    let third = marks.mark()
    #expect(marks.release(second) == 3)
    #expect(marks.number(of: second) == nil && marks.isMarked)
    #expect(marks.release(third) == nil && !marks.isMarked)
  }

  @Test func `a mark knows whether there is an earlier one, written in or not`() {
    var marks = QuietMarks()
    let first = marks.mark()
    #expect(!marks.isMarked(before: first))
    let second = marks.mark()
    #expect(marks.isMarked(before: second) && !marks.isMarked(before: first))
    marks.number { 1 }
    let third = marks.mark()
    #expect(marks.isMarked(before: third))
    _ = marks.release(first)
    #expect(!marks.isMarked(before: second) && marks.isMarked(before: third))
  }

  @Test func `what is written while there is no mark begins nothing`() {
    var marks = QuietMarks()
    marks.number { 1 }
    #expect(!marks.isMarked)
    let mark = marks.mark()
    #expect(marks.number(of: mark) == nil)
  }
}
