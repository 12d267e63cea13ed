import Fixtures
import Foundation

/// A list of 3,376 airports that is loaded page by page, cached, and there without a service.
///
/// In a terminal keys scroll, refresh, search and go offline. Without one, or with `--script`, it plays a
/// script and prints what the screen shows, the same text each time. With `--watch` it is a second
/// process on the same file, which prints what arrives from the first.
@main
struct Reader {
  static func main() async {
    let watches = CommandLine.arguments.contains("--watch")
    let isScripted = CommandLine.arguments.contains("--script") || isatty(STDIN_FILENO) == 0
    do {
      if watches { return try await Watcher.run(folder: folder()) }
      if isScripted {
        exit(try await Script.play() ? 0 : 1)
      }
      try await App.run(folder: folder())
    } catch {
      FileHandle.standardError.write(Data("The reader cannot go on: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Where the list is kept between two starts: what follows `--folder`, or a folder of the user's.
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
