import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A terminal that delivers keys immediately, and is always drawn completely.
final class Terminal: Sendable {
  private let before: termios

  /// Switches the terminal to the reader's mode.
  init() throws {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { throw POSIXError(.ENOTTY) }
    before = settings
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    // The alternate screen, without a cursor.
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Restores the terminal.
  func close() {
    var settings = before
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    write("\u{1B}[?25h\u{1B}[?1049l")
  }

  /// The number of lines, at least 8.
  var height: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return max(8, Int(size.ws_row))
  }

  /// Draws the lines from the top.
  func draw(_ lines: [String]) {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    write("\u{1B}[H" + text + "\u{1B}[J")
  }

  /// Reads keys on a separate thread, as long as the process lives.
  func read(_ press: @escaping @Sendable (Key) -> Void) {
    Thread.detachNewThread {
      var bytes: ArraySlice<UInt8> = []
      var buffer = [UInt8](repeating: 0, count: 64)
      while true {
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return press(.character("q")) }
        bytes += buffer.prefix(count)
        while let (key, length) = Key.first(of: bytes) {
          bytes = bytes.dropFirst(length)
          if let key { press(key) }
        }
      }
    }
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
