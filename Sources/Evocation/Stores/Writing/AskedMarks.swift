/// The marks that were set before the server was asked about the entries that one task sends.
///
/// What it answers is no older than the answers to reads that began before.
package final class AskedMarks: Sendable {
  @TaskLocal package static var current: AskedMarks?

  private let marks = Lock<[String: any Sendable]>([:])

  package init() {}

  /// Keeps the mark of the last request about an entry.
  ///
  /// Releasing a mark may run the app's code, which must not happen under a lock.
  package func set(_ mark: any Sendable, for id: String) {
    _ = marks.withLock { $0.updateValue(mark, forKey: id) }
  }

  /// Returns a ``WriteLog/Mark``; nil if nothing was asked.
  package func mark(for id: String) -> (any Sendable)? { marks.withLock { $0[id] } }

  /// Releases the marks, because a resolver's task may keep this object for long.
  package func end() {
    _ = marks.withLock { marks in
      defer { marks = [:] }
      return marks
    }
  }
}
