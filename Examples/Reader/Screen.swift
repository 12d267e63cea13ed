import Evocation
import Fixtures
import Foundation

/// What is on the screen, as a value: keys and states go in, commands and lines come out.
struct Screen: Sendable {
  typealias State = CacheState<PagedCache<[Airport]>>

  /// What a key asks of the app.
  enum Command: Equatable, Sendable {
    case loadMore, refresh, goOffline, goOnline, quit
    case search(String)
    /// Gives an airport a star, or takes the given one away.
    case star(Airport, isGiven: Bool)
  }

  /// How many airports are shown at once.
  var height = 10
  /// The first airport that is shown.
  private(set) var top = 0
  /// The airport that the reader is at.
  private(set) var selected = 0
  private(set) var state: State?
  private(set) var stars = Stars()
  private(set) var search = ""
  /// What is being typed into the search; nil when nothing is.
  private(set) var typed: String?
  var isOnline = true
  /// Whether anything that is shown came from the service since the start.
  private(set) var hasFetched = false

  /// Begins where the reader left off.
  init(selected: Int = 0, search: String = "") {
    self.selected = selected
    self.search = search
    top = max(0, selected - 4)
  }

  var airports: [Airport] { state?.cache?.cache ?? [] }

  /// Takes a state that came, and asks for more where the reader is at the end.
  mutating func show(_ state: State) -> Command? {
    if state.justFinishedSuccessfulRefresh { hasFetched = true }
    if case .loading = self.state?.next, case .fixed = state.next { hasFetched = true }
    self.state = state
    guard !airports.isEmpty else { return nil }
    move(to: selected)
    return nil
  }

  /// Takes what changed of the stars, which asks for nothing.
  mutating func show(_ change: Stars.Change) -> Command? {
    stars.take(change)
    return nil
  }

  mutating func press(_ key: Key) -> Command? {
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

  /// Goes some airports on, and asks for the next page where there are none left below.
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
