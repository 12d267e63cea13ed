import Evocation
import Fixtures
import Foundation

/// A second process on the reader's file, such as an app's extension, that prints each change.
enum Watcher {
  /// Returns the file with the address of the reader's service, beside the database.
  static func address(in folder: URL) -> URL { folder.appending(path: "service.url") }

  /// Returns the service of the reader in another process; without one it says so, and returns nil.
  static func source(in folder: URL) -> Source? {
    let text = try? String(contentsOf: address(in: folder), encoding: .utf8)
    let source = text.flatMap { Source.named($0) }
    if source == nil {
      print("There is no reader yet: start scripts/demo reader in another terminal.")
    }
    return source
  }

  /// Prints until the process or its input ends.
  static func run(folder: URL) async throws {
    guard let source = source(in: folder) else { return }
    if isatty(STDIN_FILENO) == 0 { endWithInput() }
    let library = try Library(
      source, file: folder.appending(path: "airports.sqlite").path)
    library.search(await library.bookmark().search)
    let showsAge = isatty(STDOUT_FILENO) != 0
    say("Watching what the reader does in another process.")
    var (stars, last) = (Stars(), ["", ""])
    var airports: [Airport] = []
    for await event in library.changes() {
      if case .state(let state) = event, let present = state.cache?.cache {
        var news = News()
        news.take(present, after: airports)
        airports = present
        if let line = news.line { say(line) }
      }
      let (place, line) =
        switch event {
        case .state(let state): (0, self.line(of: state, showsAge: showsAge))
        case .stars(let change): (1, self.line(of: change, &stars))
        }
      guard let line, line != last[place] else { continue }
      last[place] = line
      say(line)
    }
  }

  private static func line(of state: Screen.State, showsAge: Bool) -> String? {
    guard let list = state.cache else { return state.fetchedAt == nil ? nil : "list: empty" }
    var parts = ["list: \(list.cache.count) airports"]
    parts.append(list.areMorePages ? "more to come" : "that is all")
    if state.isLive { parts.append("live") }
    if showsAge, let date = state.fetchedAt {
      parts.append("fetched at \(date.formatted(date: .omitted, time: .standard))")
    }
    return parts.joined(separator: " · ")
  }

  private static func line(of change: Stars.Change, _ stars: inout Stars) -> String? {
    stars.take(change)
    guard let given = stars.given, stars.isKnown else { return nil }
    return "stars: \(given.count) given · \(stars.line)"
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func endWithInput() {
    Thread.detachNewThread {
      while readLine() != nil {}
      exit(0)
    }
  }
}
