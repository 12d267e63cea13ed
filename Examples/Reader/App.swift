import Evocation
import Fixtures
import Foundation

/// The reader in a terminal.
enum App {
  /// What happens to the screen.
  private enum Event: Sendable {
    case key(Key)
    case state(Screen.State)
    case stars(Stars.Change)
  }

  static func run(folder: URL) async throws {
    // The port stays, so that the service can go away and come back.
    var service: Service? = try await start(folder: folder)
    let port = service?.port ?? 0
    guard let url = service?.url else { return }
    // So that a second process finds it.
    try Data(url.absoluteString.utf8).write(to: Watcher.address(in: folder))
    let library = try Library(service: url, file: folder.appending(path: "airports.sqlite").path)
    let bookmark = await library.bookmark()
    var screen = Screen(selected: bookmark.selected, search: bookmark.search)
    library.search(bookmark.search)

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
        service?.stop()
        service = nil
      case .goOnline:
        service = try await start(folder: folder, port: port)
        Task {
          await library.sendStars()
          await library.list.validate()
        }
      case .quit: return
      case nil: break
      }
    }
  }

  /// A service that takes its time, so that one sees what happens meanwhile, and keeps the stars.
  private static func start(folder: URL, port: Int = 0) async throws -> Service {
    let kept = folder.appending(path: "service")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    let stars = folder.appending(path: "stars.json")
    try Data("[]".utf8).write(to: stars)
    return try await Service.start(
      data: [Airport.file, stars], dialect: .postgrest,
      arguments: ["--delay", "0.4", "--state", kept.path], port: port)
  }
}
