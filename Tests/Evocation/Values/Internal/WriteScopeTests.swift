import Evocation
import Testing

@testable import EvocationValues

@Suite struct WriteScopeTests {
  private let a = WriteSerializer("A")
  private let b = WriteSerializer("B")
  private let c = WriteSerializer("C")

  @Test func `Work that was begun apart, or has ended, is not inside what is around it`() {
    let outer = WriteScope(a)
    WriteScope.ofTask.withValue(outer) {
      let inner = WriteScope(b)
      #expect(inner.outer === outer)
      #expect(WriteScope.apart { WriteScope.open } == nil)
      outer.close()
      #expect(WriteScope(c).outer == nil)
      #expect(!WriteScope.isInside(a))
    }
  }
}
