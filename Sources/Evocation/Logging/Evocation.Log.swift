extension Evocation {
  /// Where it is written what calls, requests and statements did.
  ///
  /// ```swift
  /// let log = Evocation.Log.console
  /// try Evocation.bootstrap(.init(log: log))
  /// ```
  ///
  /// Calls are logged as they end, one entry each. Requests and statements are logged where the
  /// configuration of the HTTP repository and of the SQLite database is given the same log, and its
  /// levels say so. No entry has a model's values or a credential; the values of criteria and the
  /// texts of errors are in it only where ``init(levels:showsValues:_:)`` is asked for them.
  ///
  /// ## Execution
  ///
  /// The closure is called on a thread of the log, one entry after another, and never on that of a
  /// caller. While it is busy up to 10,000 entries wait; an entry says how many more there were. It may
  /// call Evocation: such calls are not logged.
  ///
  /// Logs are equal where they are copies of one.
  public struct Log: Sendable, Hashable {
    /// What is logged.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
      /// Each call as it ends.
      case calls
      /// Each request of an HTTP repository as it ends.
      case http
      /// Each statement of an SQLite database as it ends.
      case sql
    }

    private struct Sink: Sendable, Hashable {
      let levels: Set<Level>
      let showsValues: Bool
      let queue: LogQueue
    }

    private let sinks: [Sink]

    /// Makes a log of a closure.
    ///
    /// - Parameters:
    ///   - levels: What is logged.
    ///   - showsValues: Whether the values of criteria and the texts of errors are logged too, which may
    ///     be the user's.
    ///   - write: Takes an entry, which prints as one line.
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

    /// What is logged.
    public var levels: Set<Level> { sinks.reduce(into: []) { $0.formUnion($1.levels) } }

    /// Logs nothing, and costs nothing.
    public static let off = Log(sinks: [])

    /// Gives each entry to several logs, as the levels of each say.
    public static func all(_ logs: [Log]) -> Log {
      Log(sinks: logs.flatMap(\.sinks))
    }

    /// The part of the log that takes what is of a level; nil where none does.
    package func taking(_ level: Level) -> Log? {
      let sinks = sinks.filter { $0.levels.contains(level) }
      return sinks.isEmpty ? nil : Log(sinks: sinks)
    }

    /// Adds an entry, which is made on the log's thread.
    package func add(_ make: @escaping @Sendable (_ showsValues: Bool) -> Line) {
      if LogQueue.isWriting { return }
      for sink in sinks {
        sink.queue.add { [showsValues = sink.showsValues] in make(showsValues) }
      }
    }

    /// Waits until what was added before is written, for a tool that is about to end.
    ///
    /// Inside the log's own closure it returns at once.
    public func flush() {
      if LogQueue.isWriting { return }
      for sink in sinks { sink.queue.flush() }
    }
  }
}
