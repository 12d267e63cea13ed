/// What the samples show their users on, one line after another.
final class Board: Sendable {
  private let stream = AsyncStream.makeStream(of: String.self)

  func show(_ line: String) {
    stream.continuation.yield(line)
  }

  /// Gives the lines up to the first that begins so.
  func lines(upTo beginning: String) async -> [String] {
    var lines: [String] = []
    for await line in stream.stream {
      lines.append(line)
      if line.hasPrefix(beginning) { break }
    }
    return lines
  }

  /// Shows no more.
  func close() {
    stream.continuation.finish()
  }
}
