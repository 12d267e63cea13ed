import Evocation
import Fixtures
import Foundation

/// The reader in a terminal.
enum App {
  /// An event that the screen receives.
  private enum Event: Sendable {
    case key(Key)
    case state(Screen.State)
    case stars(Stars.Change)
  }

  static func run(_ source: Source?, folder: URL, isLive: Bool) async throws {
    let backend =
      if let source { Backend.running(source) } else {
        try await start(folder: folder, isLive: isLive)
      }
    // Written so that a second process finds it.
    try Data(backend.source.words.utf8).write(to: Watcher.address(in: folder))
    let library = try Library(
      backend.source, file: folder.appending(path: "airports.sqlite").path)
    let bookmark = await library.bookmark()
    var screen = Screen(selected: bookmark.selected, search: bookmark.search)
    library.search(bookmark.search)
    if isLive { screen.hint = "for a change: scripts/demo reader --elsewhere, in another terminal" }

    let terminal = try Terminal()
    defer { terminal.close() }
    let (events, feed) = AsyncStream.makeStream(of: Event.self)
    let observation = library.list.observe { feed.yield(.state($0)) }
    defer { observation.cancel() }
    let stars = Task { for await change in library.stars() { feed.yield(.stars(change)) } }
    defer { stars.cancel() }
    terminal.read { feed.yield(.key($0)) }

    for await event in events {
      screen.height = terminal.height - 5
      let command =
        switch event {
        case .key(let key): screen.press(key)
        case .state(let state): screen.show(state)
        case .stars(let change): screen.show(change)
        }
      terminal.draw(screen.lines(showsAge: true))
      await library.keep(Bookmark(selected: screen.selected, search: screen.search))
      switch command {
      case .loadMore: Task { await library.list.goToNextPage() }
      case .refresh: Task { try? await library.list.refresh(force: true) }
      case .search(let text): library.search(text)
      case .star(let airport, let isGiven):
        await library.toggleStar(of: airport, isGiven: isGiven)
      case .goOffline:
        backend.stop()
      case .goOnline:
        try await backend.startAgain()
        Task {
          await library.sendStars()
          await library.list.validate()
        }
      case .quit: return
      case nil: break
      }
    }
  }

  /// Starts a slow service, so that the user sees what happens while it works, and keeps the stars.
  private static func start(folder: URL, isLive: Bool) async throws -> Backend {
    let kept = folder.appending(path: "service")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    return try await Backend.own(
      in: folder, arguments: ["--delay", "0.4", "--state", kept.path], isLive: isLive)
  }
}
