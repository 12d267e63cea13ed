import Fixtures
import Foundation

/// A list of 3,376 airports that is loaded page by page, cached, and available without a service.
///
/// In a terminal, keys scroll, refresh, search and go offline. Without a terminal, or with `--script`,
/// it plays a script and prints what the screen shows, the same text each time. With `--watch` it is a
/// second process on the same file, which prints each change by the first.
///
/// With `--live` it follows the changes of the service, and shows them by itself. Beside a reader in a
/// terminal, `--elsewhere` is another device, which renames airports and gives stars.
///
/// It starts a fixture service, unless `--service pocketbase http://127.0.0.1:8090` names a PocketBase
/// service that has the airports: `python3 Fixtures/real/pocketbase.py --airports` starts one.
@main
struct Reader {
  static func main() async {
    let arguments = CommandLine.arguments
    let isScripted = arguments.contains("--script") || isatty(STDIN_FILENO) == 0
    let isLive = arguments.contains("--live")
    do {
      if arguments.contains("--watch") { return try await Watcher.run(folder: folder()) }
      if arguments.contains("--elsewhere") { return try await Elsewhere.run(folder: folder()) }
      let source = try source(isLive: isLive)
      if isScripted {
        let isTrue = try await isLive ? LiveScript.play(source) : Script.play(source)
        exit(isTrue ? 0 : 1)
      }
      try await App.run(source, folder: folder(), isLive: isLive)
    } catch {
      FileHandle.standardError.write(Data("The reader cannot go on: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Returns the service that the two words after `--service` name; nil without them.
  private static func source(isLive: Bool) throws -> Source? {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: "--service") else { return nil }
    let words = arguments.dropFirst(place + 1).prefix(2).joined(separator: " ")
    let source = Source.named(isLive ? words + " live" : words)
    guard let source else { throw UnknownService(words: words) }
    return source
  }

  /// Returns the folder of the list between two starts: the one after `--folder`, or one of the user's.
  private static func folder() throws -> URL {
    let arguments = CommandLine.arguments
    let given = arguments.firstIndex(of: "--folder").flatMap { place in
      arguments.dropFirst(place + 1).first.map { URL(filePath: $0) }
    }
    let home = FileManager.default.homeDirectoryForCurrentUser
    let folder = given ?? home.appending(path: ".evocation-reader")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// The words after `--service` name no service.
private struct UnknownService: Error, CustomStringConvertible {
  let words: String

  var description: String {
    "no service is called \"\(words)\"; write --service pocketbase http://127.0.0.1:8090."
  }
}
