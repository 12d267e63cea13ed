import Evocation
import Fixtures
import Foundation

/// The reader in a terminal.
enum App {
  /// What happens to the screen.
  private enum Event: Sendable {
    case key(Key)
    case state(Screen.State)
  }

  static func run(folder: URL) async throws {
    // The port stays, so that the service can go away and come back.
    var service: Service? = try await start()
    let port = service?.port ?? 0
    guard let url = service?.url else { return }
    let library = try Library(service: url, file: folder.appending(path: "airports.sqlite").path)
    let bookmark = await library.bookmark()
    var screen = Screen(selected: bookmark.selected, search: bookmark.search)
    library.search(bookmark.search)

    let terminal = try Terminal()
    defer { terminal.close() }
    let (events, feed) = AsyncStream.makeStream(of: Event.self)
    let observation = library.list.observe { feed.yield(.state($0)) }
    defer { observation.cancel() }
    terminal.read { feed.yield(.key($0)) }

    for await event in events {
      screen.height = terminal.height - 4
      let command =
        switch event {
        case .key(let key): screen.press(key)
        case .state(let state): screen.show(state)
        }
      terminal.draw(screen.lines(showsAge: true))
      await library.keep(Bookmark(selected: screen.selected, search: screen.search))
      switch command {
      case .loadMore: Task { await library.list.goToNextPage() }
      case .refresh: Task { try? await library.list.refresh(force: true) }
      case .search(let text): library.search(text)
      case .goOffline:
        service?.stop()
        service = nil
      case .goOnline:
        service = try await start(port: port)
        Task { await library.list.validate() }
      case .quit: return
      case nil: break
      }
    }
  }

  /// A service that takes its time, so that one sees what happens meanwhile.
  private static func start(port: Int = 0) async throws -> Service {
    try await Service.start(data: [Airport.file], arguments: ["--delay", "0.4"], port: port)
  }
}
