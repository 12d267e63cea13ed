import Testing

@Suite struct ExpectedTests {
  @Test func `The first line that differs is said with those around it`() {
    #expect(Expected.difference("a\nb", "a\nb") == nil)
    #expect(
      Expected.difference("a\nb\nc\nd\ne\n", "a\nb\nc\nd\nf\n")
        == """
        line 5, expected (-) and actual (+):
            b
            c
            d
          - e
          - 
          + f
          + 
        """)
    #expect(
      Expected.difference("a", "a\nb") == "line 2, expected (-) and actual (+):\n    a\n  + b")
  }
}
