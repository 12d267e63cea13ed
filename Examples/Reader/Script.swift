import Evocation
import Fixtures
import Foundation

/// The reader without a terminal: it plays keys from a script, and prints each state of the screen.
struct Script {
  private let library: Library
  private var states: AsyncStream<Screen.State>.Iterator
  private var stars: AsyncStream<Stars.Change>.Iterator
  private let observation: Evocation.Observation
  private var screen: Screen
  private var isAllTrue = true

  /// Plays the script with a running service, or else with a service that it starts.
  ///
  /// It returns whether everything happened as it should.
  static func play(_ source: Source?) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reader-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "airports.sqlite").path
    let backend =
      if let source { Backend.running(source) } else {
        try await Backend.own(in: folder, isLive: false)
      }
    defer { backend.stop() }

    let first = try await firstTime(backend, file)
    var second = try await Script(backend.source, file)
    try await second.startedAgainOffline(first.screen)
    try await backend.startAgain()
    try await second.onlineAgain(backend)
    try Data(backend.source.words.utf8).write(to: Watcher.address(in: folder))
    try await second.watched(in: folder)
    return first.isAllTrue && second.isAllTrue
  }

  /// Plays everything up to the end of the first start, whose outbox ends with it.
  private static func firstTime(
    _ backend: Backend, _ file: String
  ) async throws -> (screen: Screen, isAllTrue: Bool) {
    var first = try await Script(backend.source, file)
    try await first.online(backend)
    await first.library.keep(
      Bookmark(selected: first.screen.selected, search: first.screen.search))
    first.observation.cancel()
    return (first.screen, first.isAllTrue)
  }

  private init(_ source: Source, _ file: String) async throws {
    library = try Library(source, file: file)
    let bookmark = await library.bookmark()
    screen = Screen(selected: bookmark.selected, search: bookmark.search)
    screen.height = 6
    library.search(bookmark.search)
    let (states, feed) = AsyncStream.makeStream(of: Screen.State.self)
    self.states = states.makeAsyncIterator()
    observation = library.list.observe { feed.yield($0) }
    stars = library.stars().makeAsyncIterator()
    await takeStars(until: \.isKnown)
  }

  private mutating func online(_ backend: Backend) async throws {
    say("Started for the first time, with the service")
    await until { $0.justFinishedFirstFetch }
    for number in 2...3 {
      say("Scrolled down until page \(number) was wanted")
      await press(.end)
      await until { !$0.isLoadingMore && $0.cache?.cache.count == number * 20 }
    }
    say("Asked for a refresh: the list stays until the new one is there, from its first page")
    await press(.character("r"))
    await until { $0.justFinishedSuccessfulRefresh }
    say("Searched for \"Intl\"")
    for key in [
      Key.character("/"), .character("I"), .character("n"), .character("t"), .character("l"),
    ] {
      await press(key)
    }
    await press(.enter)
    await until { $0.justFinishedFirstFetch }
    say("Left the search, and scrolled: the first list is where it was, without a fetch")
    await press(.escape)
    await until { $0.cache != nil }
    await press(.end)
    await until { !$0.isLoadingMore && $0.cache?.cache.count == 40 }
    say("The service stops; what is there can be read, and the next page says why it is not")
    backend.stop()
    await press(.character("o"))
    await press(.end)
    await until { if case .error = $0.next { true } else { false } }
    say("A refresh fails, and takes nothing away")
    await press(.character("r"))
    await until { $0.refreshError != nil }
    say("A star is given all the same: it is kept, shown as not sent yet, and waits")
    await press(.character("s"))
    await untilStars { $0.given?.count == 1 && $0.unsent?.count == 1 && $0.status?.pending == 1 }
  }

  private mutating func startedAgainOffline(_ before: Screen) async throws {
    screen.isOnline = false
    say("Started again without the service: at the same place of the same list")
    await until { $0.cache != nil }
    check(screen.airports == before.airports, "the same airports")
    check(screen.selected == before.selected, "the same place")
    say("The star that was given before is still there, and still waits")
    await untilStars { $0.given?.count == 1 && $0.unsent?.count == 1 && $0.status?.pending == 1 }
  }

  private mutating func onlineAgain(_ backend: Backend) async throws {
    say("The service is back, and gets the star")
    await press(.character("o"))
    await untilStars { $0.unsent == [:] && $0.status?.pending == 0 }
    if let additions = try await backend.count("POST") {
      check(additions == 1, "it was sent once")
    }
  }

  /// Starts another process that watches the file, and prints what it says.
  private mutating func watched(in folder: URL) async throws {
    say("Another process opens the same file: it sees the list, and each page and star that comes")
    var other = try OtherProcess(in: folder)
    isAllTrue = await other.says("list: 40 airports · more to come") && isAllTrue
    isAllTrue = await other.says("stars: 1 given · all stars are sent") && isAllTrue
    await press(.end)
    await until { !$0.isLoadingMore && $0.cache?.cache.count == 60 }
    isAllTrue = await other.says("list: 60 airports · more to come") && isAllTrue
    await press(.up)
    await press(.character("s"))
    await untilStars { $0.given?.count == 2 && $0.unsent == [:] && $0.status?.pending == 0 }
    isAllTrue = await other.says("stars: 2 given · all stars are sent") && isAllTrue
  }

  /// Presses a key, and performs its command.
  private mutating func press(_ key: Key) async {
    switch screen.press(key) {
    case .loadMore: Task { [library] in await library.list.goToNextPage() }
    case .refresh: Task { [library] in try? await library.list.refresh(force: true) }
    case .search(let text): library.search(text)
    case .star(let airport, let isGiven):
      await library.toggleStar(of: airport, isGiven: isGiven)
    case .goOnline: Task { [library] in await library.sendStars() }
    case .goOffline, .quit, nil: break
    }
  }

  /// Shows the states as they arrive, up to the awaited one.
  private mutating func until(_ isAwaited: (Screen.State) -> Bool) async {
    while let state = await states.next(isolation: #isolation) {
      _ = screen.show(state)
      let isLast = isAwaited(state)
      if isLast {
        for line in screen.lines(showsAge: false) { print(line.isEmpty ? "" : "  " + line) }
        return
      }
      print("  " + screen.status(showsAge: false))
    }
  }

  /// Takes changes of the stars, and shows the screen once the stars are as awaited.
  private mutating func untilStars(_ isAwaited: (Stars) -> Bool) async {
    await takeStars(until: isAwaited)
    for line in screen.lines(showsAge: false) { print(line.isEmpty ? "" : "  " + line) }
  }

  private mutating func takeStars(until isAwaited: (Stars) -> Bool) async {
    while !isAwaited(screen.stars), let change = await stars.next(isolation: #isolation) {
      _ = screen.show(change)
    }
  }

  private func say(_ text: String) {
    print("\n\(text)")
  }

  private mutating func check(_ isTrue: Bool, _ text: String) {
    isAllTrue = isAllTrue && isTrue
    print("  \(isTrue ? "✓" : "✗ not") \(text)")
  }
}

extension CacheState {
  fileprivate var isLoadingMore: Bool {
    if case .loading = next { true } else { false }
  }
}
