/// A write that a repository is carrying out, known to whatever it calls.
///
/// It is how a write inside a repository's own write is seen before it waits for itself.
final class WriteScope: Sendable {
  @TaskLocal static var current: WriteScope?

  private let line: WriteLine
  private let outer: WriteScope?
  private let isOpen = Lock(true)

  /// Opens a scope inside the present one.
  init(_ line: WriteLine) {
    self.line = line
    outer = Self.current
  }

  /// Ends the scope; tasks that the repository left behind may write again.
  func close() {
    isOpen.withLock { $0 = false }
  }

  /// Whether this task is inside a write on the line.
  static func isInside(_ line: WriteLine) -> Bool {
    var scope = current
    while let open = scope {
      if open.line === line, open.isOpen.withLock({ $0 }) { return true }
      scope = open.outer
    }
    return false
  }
}
