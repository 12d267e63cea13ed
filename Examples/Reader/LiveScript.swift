import Evocation
import Fixtures
import Foundation

/// The reader that follows its service, without a terminal: other devices change what it shows.
struct LiveScript {
  private let backend: Backend
  private let library: Library
  private let elsewhere: Elsewhere
  private var changes: AsyncStream<Library.Change>.Iterator
  private var screen = Screen()
  /// How many fetches of the list have succeeded.
  private var fetches = 0
  private var isAllTrue = true

  /// Plays the script with a running service, or else with a service that it starts.
  ///
  /// It returns whether everything happened as it should.
  static func play(_ source: Source?) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reader-\(UUID())")
    let kept = folder.appending(path: "service")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let backend =
      if let source { Backend.running(source) } else {
        try await Backend.own(in: folder, arguments: ["--state", kept.path], isLive: true)
      }
    defer { backend.stop() }
    try Data(backend.source.words.utf8).write(to: Watcher.address(in: folder))
    try await backend.hold("GET", "/events")
    var script = try LiveScript(backend, folder)
    try await script.begun()
    try await script.told()
    try await script.lost()
    try await script.back()
    try await script.watched(in: folder)
    return script.isAllTrue
  }

  private init(_ backend: Backend, _ folder: URL) throws {
    self.backend = backend
    let file = folder.appending(path: "airports.sqlite").path
    library = try Library(backend.source, file: file)
    // Its own connection is not cut with that of the reader.
    elsewhere = Elsewhere(Source.named(backend.source.words) ?? backend.source) {
      print("  another device: \($0)")
    }
    library.search("")
    changes = library.changes().makeAsyncIterator()
    screen.height = 6
  }

  private mutating func begun() async throws {
    say("Started for the first time, while the service does not say yet what changes")
    await until { $0.stars.isKnown && $0.state?.freshness == .fresh }
    say("It does now: what changed before that is fetched, and then the list is live")
    let before = fetches
    try await backend.release()
    await until(fetches: before + 1) { $0.state?.isLive == true }
  }

  private mutating func told() async throws {
    let before = try await backend.count("GET", "/airports")
    say("Another device renames an airport: the screen shows it by itself")
    try await elsewhere.rename(screen.airports[1], to: "Abbeville Executive")
    await until { $0.airports[1].name == "Abbeville Executive" }
    say("It gives a star")
    _ = screen.press(.escape)
    try await elsewhere.giveStar(to: screen.airports[3])
    await until { $0.stars.isGiven(to: $0.airports[3]) }
    say("It takes the star away")
    _ = screen.press(.escape)
    try await elsewhere.removeStar(of: screen.airports[3])
    await until { !$0.stars.isGiven(to: $0.airports[3]) }
    let after = try await backend.count("GET", "/airports")
    check(before == after, "the list was not fetched for any of this")
  }

  private mutating func lost() async throws {
    say("The connection is lost, and a star is given without it")
    backend.stop()
    _ = screen.press(.character("o"))
    await until(isShown: false) { $0.state?.isLive == false }
    for _ in 0..<2 { _ = screen.press(.down) }
    await star()
    await until { $0.stars.unsent?.count == 1 && $0.stars.status?.pending == 1 }
    say("Meanwhile another device reaches the service, and the reader does not")
    try await backend.startForOthers()
    try await elsewhere.rename(screen.airports[3], to: "Aberdeen Regional Intl")
    try await elsewhere.giveStar(to: screen.airports[0])
  }

  private mutating func back() async throws {
    say("The connection is back: live again, with what was missed under the star that waits")
    try await backend.hold("POST", "/stars")
    let before = fetches
    _ = screen.press(.character("o"))
    try await backend.startAgain()
    await until(fetches: before + 1) {
      $0.state?.isLive == true && $0.airports[3].name == "Aberdeen Regional Intl"
        && $0.stars.isGiven(to: $0.airports[0])
    }
    say("The service takes the star, too")
    _ = screen.press(.escape)
    try await backend.release()
    await until { $0.stars.unsent == [:] && $0.stars.status?.pending == 0 }
    if let count = try await backend.count("POST") {
      check(count == 2, "it was sent once, as the one of the other device")
    }
  }

  /// Starts another process that watches the file, and prints what it says.
  private mutating func watched(in folder: URL) async throws {
    say("Another process opens the same file, and follows the service too")
    var other = try OtherProcess(in: folder)
    isAllTrue = await other.says("list: 20 airports · more to come · live") && isAllTrue
    _ = screen.press(.escape)
    let (first, name) = (screen.airports[0], "Abbeville Chris Crusta")
    try await elsewhere.rename(first, to: name)
    await until { $0.airports[0].name == name }
    isAllTrue = await other.says("another device: \(first.id) is now \(name)") && isAllTrue
    _ = screen.press(.escape)
    try await elsewhere.removeStar(of: first)
    await until { !$0.stars.isGiven(to: $0.airports[0]) }
    isAllTrue = await other.says("stars: 1 given · all stars are sent") && isAllTrue
  }

  private mutating func star() async {
    guard case .star(let airport, let isGiven) = screen.press(.character("s")) else { return }
    await library.toggleStar(of: airport, isGiven: isGiven)
  }

  /// Takes changes until the screen is as awaited and nothing is fetched, and shows it.
  private mutating func until(
    fetches count: Int = 0, isShown: Bool = true, _ isAwaited: (Screen) -> Bool
  ) async {
    while fetches < count || screen.state?.isRefreshing != false || !isAwaited(screen) {
      guard let change = await changes.next(isolation: #isolation) else { return }
      switch change {
      case .state(let state):
        if state.justFinishedSuccessfulRefresh { fetches += 1 }
        _ = screen.show(state)
      case .stars(let change): _ = screen.show(change)
      }
    }
    guard isShown else { return }
    for line in screen.lines(showsAge: false) { print(line.isEmpty ? "" : "  " + line) }
  }

  private func say(_ text: String) { print("\n\(text)") }

  private mutating func check(_ isTrue: Bool, _ text: String) {
    isAllTrue = isAllTrue && isTrue
    print("  \(isTrue ? "✓" : "✗ not") \(text)")
  }
}
