import Evocation
import Fixtures
import Foundation

/// The content of the screen, as a value: it takes keys and states, and returns commands and lines.
struct Screen: Sendable {
  typealias State = CacheState<PagedCache<[Airport]>>

  /// The command of a key to the app.
  enum Command: Equatable, Sendable {
    case loadMore, refresh, goOffline, goOnline, quit
    case search(String)
    /// Gives an airport a star, or removes its star.
    case star(Airport, isGiven: Bool)
  }

  /// How many airports are visible at the same time.
  var height = 10
  /// The index of the first visible airport.
  private(set) var top = 0
  /// The index of the selected airport.
  private(set) var selected = 0
  private(set) var state: State?
  private(set) var stars = Stars()
  private(set) var news = News()
  /// What the screen says while there are no news; nil for nothing.
  var hint: String?
  private(set) var search = ""
  /// The text that the user is typing into the search; nil if the user is not searching.
  private(set) var typed: String?
  var isOnline = true
  /// Whether the service has sent any visible airport since the start.
  private(set) var hasFetched = false

  /// Creates a screen at the user's last place.
  init(selected: Int = 0, search: String = "") {
    self.selected = selected
    self.search = search
    top = max(0, selected - 4)
  }

  var airports: [Airport] { state?.cache?.cache ?? [] }

  /// Shows a new state; it never returns a command.
  mutating func show(_ state: State) -> Command? {
    if state.justFinishedSuccessfulRefresh { hasFetched = true }
    if case .loading = self.state?.next, case .fixed = state.next { hasFetched = true }
    let former = airports
    self.state = state
    news.take(airports, after: former)
    guard !airports.isEmpty else { return nil }
    move(to: selected)
    return nil
  }

  /// Shows a change of the stars; it never returns a command.
  mutating func show(_ change: Stars.Change) -> Command? {
    let former = stars.given
    stars.take(change)
    news.take(stars.given, after: former)
    return nil
  }

  mutating func press(_ key: Key) -> Command? {
    news.clear()
    if let typed { return type(key, typed) }
    switch key {
    case .down, .character("j"): return step(1)
    case .up, .character("k"): return step(-1)
    case .pageDown, .character(" "): return step(height)
    case .pageUp: return step(-height)
    case .home: return step(-airports.count)
    case .end: return step(airports.count)
    case .character("r"): return .refresh
    case .character("s") where airports.indices.contains(selected):
      let airport = airports[selected]
      news.expectStar(of: airport)
      return .star(airport, isGiven: stars.isGiven(to: airport))
    case .character("/"): typed = ""
    case .character("o"):
      isOnline.toggle()
      return isOnline ? .goOnline : .goOffline
    case .character("q"): return .quit
    case .escape where !search.isEmpty: return find("")
    case .enter, .escape, .backspace, .character: break
    }
    return nil
  }

  private mutating func type(_ key: Key, _ text: String) -> Command? {
    switch key {
    case .enter:
      typed = nil
      return find(text)
    case .escape: typed = nil
    case .backspace: typed = String(text.dropLast())
    case .character(let character): typed = text + String(character)
    case .up, .down, .pageUp, .pageDown, .home, .end: break
    }
    return nil
  }

  private mutating func find(_ text: String) -> Command {
    search = text
    (top, selected) = (0, 0)
    return .search(text)
  }

  /// Moves some airports further, and returns a command for the next page if few are left below.
  private mutating func step(_ count: Int) -> Command? {
    move(to: selected + count)
    let isNearEnd = selected + 3 >= airports.count
    guard count > 0, isNearEnd, let state, state.areMorePages else { return nil }
    if case .loading = state.next { return nil }
    return .loadMore
  }

  private mutating func move(to place: Int) {
    selected = max(0, min(place, airports.count - 1))
    top = max(0, min(top, airports.count - height))
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
  }
}
