extension Evocation {
  /// A log of calls, requests and statements.
  ///
  /// ```swift
  /// let log = Evocation.Log.console
  /// try Evocation.bootstrap(.init(log: log))
  /// ```
  ///
  /// The log gets one entry for each call, when the call ends. For entries of requests and
  /// statements, pass the same log to the configuration of the HTTP repository and of the SQLite
  /// database, and include their levels. No entry has a model's values or a credential. Entries
  /// have the values of criteria and the texts of errors only if you pass `showsValues` to
  /// ``init(levels:showsValues:_:)``.
  ///
  /// ## Execution
  ///
  /// Evocation calls the closure on a thread of the log, one entry after another, and never on the
  /// thread of a caller. While the closure is busy, up to 10,000 entries wait; an entry then
  /// reports how many more were left out. The closure may call Evocation, which does not log such
  /// calls.
  ///
  /// Copies of one log are equal, and all other logs differ.
  public struct Log: Sendable, Hashable, PlainlyPrinted {
    /// The kinds of entries.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable, PlainlyPrinted {
      /// An entry for each call when it ends.
      case calls
      /// An entry for each request of an HTTP repository when it ends.
      case http
      /// An entry for each statement of an SQLite database when it ends.
      case sql
    }

    private struct Sink: Sendable, Hashable {
      let levels: Set<Level>
      let showsValues: Bool
      let queue: LogQueue

      static func == (left: Sink, right: Sink) -> Bool { left.queue === right.queue }

      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(queue)) }
    }

    private let sinks: [Sink]

    /// Creates a log from a closure.
    ///
    /// - Parameters:
    ///   - levels: The levels to log.
    ///   - showsValues: Whether entries have the values of criteria and the texts of errors, which
    ///     may be the user's.
    ///   - write: Receives each entry, which prints as one line.
    public init(
      levels: Set<Level> = [.calls], showsValues: Bool = false,
      _ write: @escaping @Sendable (Line) -> Void
    ) {
      self.init(sinks: [
        Sink(levels: levels, showsValues: showsValues, queue: LogQueue(write))
      ])
    }

    private init(sinks: [Sink]) {
      self.sinks = sinks
    }

    /// The levels that are logged.
    public var levels: Set<Level> { sinks.reduce(into: []) { $0.formUnion($1.levels) } }

    /// A log that logs nothing and costs nothing.
    public static let off = Log(sinks: [])

    /// Returns a log that passes each entry to several logs, by the levels of each.
    public static func all(_ logs: [Log]) -> Log {
      Log(sinks: logs.flatMap(\.sinks))
    }

    /// Returns the part of the log that takes entries of a level; nil if none does.
    package func taking(_ level: Level) -> Log? {
      let sinks = sinks.filter { $0.levels.contains(level) }
      return sinks.isEmpty ? nil : Log(sinks: sinks)
    }

    /// Adds an entry, which is created on the log's thread.
    package func add(_ make: @escaping @Sendable (_ showsValues: Bool) -> Line) {
      if LogQueue.isWriting { return }
      for sink in sinks {
        sink.queue.add { [showsValues = sink.showsValues] in make(showsValues) }
      }
    }

    /// Waits until all earlier entries are written, for a tool that is about to end.
    ///
    /// Inside the log's own closure, it returns immediately.
    public func flush() {
      if LogQueue.isWriting { return }
      for sink in sinks { sink.queue.flush() }
    }
  }
}
