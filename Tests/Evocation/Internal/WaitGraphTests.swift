import Testing

@testable import Evocation

/// Who waits for whom, as a value.
@Suite struct WaitGraphTests {
  private let a = WriteSerializer("A")
  private let b = WriteSerializer("B")
  private let c = WriteSerializer("C")

  private func scope(_ line: WriteSerializer, in outer: WriteScope? = nil) -> WriteScope {
    WriteScope(line, inside: outer)
  }

  @Test func `Who waits for another's work is in no circle`() throws {
    var graph = WaitGraph()
    let first = try graph.enter(scope(a), for: b) { false }
    let second = try graph.enter(scope(a), for: b) { false }
    let third = try graph.enter(scope(b), for: c) { false }
    for number in [third, first, second] { graph.leave(number) }
    #expect(graph.isEmpty)
  }

  @Test func `The wait that closes a circle is refused, with the names of all in it`() throws {
    var graph = WaitGraph()
    let inside = scope(a, in: scope(b))
    #expect(throws: WaitGraph.Circle(names: ["A"])) { try graph.enter(inside, for: a) { false } }
    #expect(throws: WaitGraph.Circle(names: ["B"])) { try graph.enter(inside, for: b) { false } }
    let first = try graph.enter(scope(a), for: b) { false }
    let second = try graph.enter(scope(b), for: c) { false }
    #expect(throws: WaitGraph.Circle(names: ["A", "B", "C"])) {
      try graph.enter(scope(c), for: a) { false }
    }
    #expect(graph.circle(from: b, to: [scope(c)]) == WaitGraph.Circle(names: ["B", "C"]))
    graph.leave(first)
    graph.leave(second)
    #expect(graph.isEmpty)
  }

  @Test func `Who was given what it waited for, or whose work is done, closes no circle`() throws {
    var graph = WaitGraph()
    let over = try graph.enter(scope(a), for: b) { true }
    let outer = scope(a)
    let left = try graph.enter(outer, for: b) { false }
    outer.close()
    let free = try graph.enter(scope(b), for: a) { false }
    for number in [over, left, free, free] { graph.leave(number) }
    #expect(graph.isEmpty)
  }

  @Test func `Work that was begun apart, or has ended, is not inside what is around it`() {
    let outer = WriteScope(a)
    WriteScope.$current.withValue(outer) {
      let inner = WriteScope(b)
      #expect(inner.outer === outer)
      #expect(WriteScope.apart { WriteScope.open } == nil)
      outer.close()
      #expect(WriteScope(c).outer == nil)
      #expect(!WriteScope.isInside(a))
    }
  }
}
