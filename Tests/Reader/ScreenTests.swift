import Evocation
import Fixtures
import Foundation
import Testing

@testable import Reader

struct ScreenTests {
  private func state(
    _ count: Int, more: Bool = true, next: AdditionalLoadingState? = nil
  ) -> Screen.State {
    let airports = (0..<count).map { Airport(id: "A\($0)", name: "Airport \($0)", city: "Town") }
    return Screen.State(
      .cache(PagedCache(airports, areMorePages: more), fetchedAt: .distantPast), freshness: .fresh,
      areMorePages: more, next: next)
  }

  private func screen(_ count: Int, more: Bool = true) -> Screen {
    var screen = Screen()
    screen.height = 5
    _ = screen.show(state(count, more: more))
    return screen
  }

  @Test func `Scrolling keeps the place on the screen, and never leaves the list`() {
    var screen = screen(20)
    for _ in 0..<7 { _ = screen.press(.down) }
    #expect((screen.selected, screen.top) == (7, 3))
    for _ in 0..<9 { _ = screen.press(.up) }
    #expect((screen.selected, screen.top) == (0, 0))
    _ = screen.press(.end)
    #expect((screen.selected, screen.top) == (19, 15))
    _ = screen.press(.pageDown)
    #expect(screen.selected == 19)
  }

  @Test func `The next page is asked for near the end, once, and only where there is one`() {
    var screen = screen(10)
    #expect(screen.press(.down) == nil)
    #expect(screen.press(.end) == .loadMore)
    _ = screen.show(state(10, next: .loading))
    #expect(screen.press(.down) == nil)
    #expect(screen.press(.up) == nil)
    var last = self.screen(10, more: false)
    #expect(last.press(.end) == nil)
  }

  @Test func `A shorter list takes the place along`() {
    var screen = screen(20)
    _ = screen.press(.end)
    _ = screen.show(state(6))
    #expect((screen.selected, screen.top) == (5, 1))
  }

  @Test func `A search is typed, mended, carried out and left`() {
    var screen = screen(20)
    for character in "/Intx" { #expect(screen.press(.character(character)) == nil) }
    _ = screen.press(.backspace)
    #expect(screen.typed == "Int")
    #expect(screen.press(.enter) == .search("Int"))
    #expect(screen.typed == nil)
    #expect(screen.press(.escape) == .search(""))
    #expect(screen.press(.escape) == nil)
    _ = screen.press(.character("/"))
    _ = screen.press(.character("q"))
    #expect(screen.press(.escape) == nil)
    #expect(screen.search.isEmpty)
    #expect(screen.press(.character("q")) == .quit)
  }

  @Test func `The status says where the list is from, what is done and what went wrong`() {
    struct Fault: Error, CustomStringConvertible { let description = "a fault; mend it" }
    var screen = screen(20)
    #expect(
      screen.status(showsAge: false) == "online · from the file · fresh · 20 loaded · more to come")
    #expect(screen.press(.character("o")) == .goOffline)
    var failed = state(20, more: false)
    failed.refreshError = Fault()
    _ = screen.show(failed)
    #expect(
      screen.status(showsAge: false)
        == "offline · from the file · fresh · refresh failed, a fault · 20 loaded · that is all")
    #expect(screen.press(.character("o")) == .goOnline)
    #expect(screen.lines(showsAge: false).count == 5 + 4)
  }

  @Test func `A star is asked for, hollow while it is not sent, and taken away again`() {
    var screen = screen(3)
    let airport = screen.airports[0]
    func mark() -> Character { screen.stars.mark(of: airport) }
    #expect(screen.press(.character("s")) == .star(airport, isGiven: false))
    #expect(mark() == " ")
    #expect(screen.stars.line == "…")
    _ = screen.show(.given([airport.id]))
    _ = screen.show(.unsent([airport.id: .pending]))
    _ = screen.show(.status(.init(pending: 1, parked: 2, pause: .authorization("no"))))
    #expect(mark() == "☆")
    #expect(screen.stars.line == "☆ 1 to be sent · ! 2 refused · sign in to send")
    #expect(screen.press(.character("s")) == .star(airport, isGiven: true))
    _ = screen.show(.unsent([airport.id: .parked(reason: "no")]))
    #expect(mark() == "!")
    _ = screen.show(.unsent([:]))
    #expect(mark() == "★")
    _ = screen.show(.status(.init()))
    #expect(screen.stars.line == "all stars are sent")
    var empty = Screen()
    #expect(empty.press(.character("s")) == nil)
  }

  @Test func `The status says that the list is live`() {
    var screen = screen(3)
    var live = state(3)
    live.isLive = true
    _ = screen.show(live)
    #expect(
      screen.status(showsAge: false)
        == "online · live · from the file · fresh · 3 loaded · more to come")
    _ = screen.show(state(3))
    #expect(!screen.status(showsAge: false).contains("live"))
  }

  @Test func `A line says what another device changed, until a key is pressed`() {
    var screen = screen(3)
    var renamed = screen.airports
    renamed[1].name = "Another name"
    _ = screen.show(Screen.State(.cache(PagedCache(renamed), fetchedAt: .distantPast)))
    _ = screen.show(.given([]))
    _ = screen.show(.given(["A2"]))
    #expect(screen.news.line == "↯ another device: A1 is now Another name, A2 got a star")
    #expect(screen.lines(showsAge: false).count == 5 + 5)
    #expect(screen.press(.down) == nil)
    #expect(screen.news.line == nil)
    _ = screen.show(.given([]))
    #expect(screen.news.line == "↯ another device: A2 lost its star")
  }

  @Test func `What the user does is no news`() {
    var screen = screen(3)
    #expect(screen.news.line == nil)
    _ = screen.show(.given(["A2"]))
    #expect(screen.news.line == nil)
    #expect(screen.press(.character("s")) == .star(screen.airports[0], isGiven: false))
    _ = screen.show(.given(["A0", "A2"]))
    #expect(screen.news.line == nil)
    screen.hint = "a hint"
    #expect(screen.lines(showsAge: false).suffix(2).first == "a hint")
  }

  @Test func `A source is found by its words, live or not`() throws {
    for words in ["rows http://127.0.0.1:1", "pocketbase http://127.0.0.1:1"] {
      #expect(try #require(Source.named(words)).isLive == false)
      let live = try #require(Source.named(words + " live"))
      #expect(live.isLive && live.words == words + " live")
    }
    #expect(Source.named("live http://127.0.0.1:1") == nil)
  }

  @Test func `Whoever observes the connection is told when it is cut`() async throws {
    let source = try #require(Source.named("rows http://127.0.0.1:1 live"))
    var changes = source.connection.changes().makeAsyncIterator()
    source.connection.isCut = true
    #expect(await changes.next() == false)
    #expect(!source.connection.isOnline)
    source.connection.isCut = false
    #expect(await changes.next() == true)
  }

  @Test(
    arguments: [
      ([0x1B, 0x5B, 0x41], Key.up, 3), ([0x1B, 0x5B, 0x36, 0x7E], .pageDown, 4),
      ([0x1B], .escape, 1), ([0x7F], .backspace, 1), ([0x0A], .enter, 1),
      ([0xC3, 0xA9, 0x61], .character("é"), 2),
    ] as [([UInt8], Key, Int)])
  func `Keys are read from what a terminal sends`(bytes: [UInt8], key: Key, length: Int) throws {
    let first = try #require(Key.first(of: bytes[...]))
    #expect(first.key == key)
    #expect(first.length == length)
  }

  @Test func `Half a key waits for its other half`() {
    #expect(Key.first(of: [0xC3]) == nil)
    #expect(Key.first(of: []) == nil)
  }
}
