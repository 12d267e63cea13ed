public import Foundation

extension Evocation.Log {
  /// What was done; it prints as one line.
  public enum Line: Sendable {
    /// A call has ended.
    case call(Call)
    /// A request has ended.
    case request(Request)
    /// A statement has ended.
    case statement(Statement)
    /// Something that your app should know, such as a model type that was registered without a
    /// strategy.
    ///
    /// Each notice is logged once.
    case notice(String)
    /// This many entries were left out, because the log's closure was too slow.
    case lost(Int)
  }

  /// A call that has ended.
  public struct Call: Sendable, PlainlyPrinted {
    /// The model type's name.
    public var model: String
    /// The call's name, such as `findOne`.
    public var name: String
    /// The keys of the criteria, with their values if the log shows values; nil for all models.
    public var criteria: String?
    /// The steps of the call, in order.
    ///
    /// If the log does not show the texts of errors, a failed step has only the kind of its error.
    public var steps: [Evocation.Trace.Step]
    /// How long the call took, including a write's wait for its turn.
    public var duration: Duration
    /// The repository that the data came from; nil if the action failed.
    public var origin: Evocation.RepositoryType?
    /// Why the call failed, or could not be executed as configured, in the words of the steps.
    public var error: String?
    /// When the data were fetched; nil if that is unknown.
    public var fetchedAt: Date?
    /// Whether the outbox has the write.
    public var isPending: Bool
  }

  /// A request that has ended.
  public struct Request: Sendable, PlainlyPrinted {
    /// The method, such as `GET`.
    public var method: String
    /// The server, and the path as the configuration has it, with `{id}` for an id.
    public var address: String
    /// The answer's status; nil if there was no answer.
    public var status: Int?
    /// Why there was no answer; nil if there was one.
    public var error: String?
    /// How long the request took, after its turn had come.
    public var duration: Duration

    /// Creates an entry.
    package init(
      method: String, address: String, status: Int?, error: String?, duration: Duration
    ) {
      self.method = method
      self.address = address
      self.status = status
      self.error = error
      self.duration = duration
    }
  }

  /// A statement that has ended.
  public struct Statement: Sendable, PlainlyPrinted {
    /// The statement's text, without the values that are bound to it.
    public var sql: String
    /// The file's name, or `memory`.
    public var database: String
    /// How long the statement ran.
    public var duration: Duration

    /// Creates an entry.
    package init(sql: String, database: String, duration: Duration) {
      self.sql = sql
      self.database = database
      self.duration = duration
    }
  }
}

extension Evocation.Log.Line: CustomStringConvertible {
  /// One line: `evocation: find Car remote ✗ timed out 2 s → local ✓ 12 in 0.8 ms (4 min old)`.
  ///
  /// A line end or a control character of a server, a model or a file is written as an escape, such
  /// as `\n` or `\u{1B}`, so that it neither begins a second line nor controls a terminal.
  public var description: String { LogText.line(text) }

  private var text: String {
    switch self {
    case .call(let call): "evocation: \(call.line)"
    case .request(let request): "evocation: http \(request.line)"
    case .statement(let statement): "evocation: sql \(statement.line)"
    case .notice(let text): "evocation: \(text)"
    case .lost(let count): "evocation: \(count) entries were left out, because the log is too slow"
    }
  }
}

extension Evocation.Log.Call {
  fileprivate var line: String {
    let asked = [name, model, criteria].compactMap(\.self).joined(separator: " ")
    let parts =
      if steps.isEmpty, let error { ["✗ \(error)"] } else {
        steps.map(\.logged)
      }
    return "\(asked) \(parts.joined(separator: " → "))"
  }
}

extension Evocation.Trace.Step {
  fileprivate var logged: String {
    let place = repository.rawValue
    let time = duration == .zero ? "" : " in \(duration.brief)"
    let tries = attempts > 1 ? " after \(attempts) attempts" : ""
    switch outcome {
    case .answered(let count):
      let age = age.map { " (\($0.old))" } ?? ""
      return "\(place) ✓ \(verb)\(count)\(tries)\(time)\(age)"
    case .failed(let reason):
      let time = duration == .zero ? "" : " \(duration.brief)"
      return "\(place) ✗ \(failure)\(reason)\(tries)\(time)"
    case .cancelled: return "\(place) ✗ canceled\(time)"
    case .skipped(let reason): return "\(place) – \(reason)"
    }
  }

  /// The words for a success other than an answer.
  private var verb: String {
    switch role {
    case .target, .fallback, .cache: ""
    case .synchronization: "synced "
    case .rollback: "undid "
    }
  }

  /// The words for a failure other than of an answer.
  private var failure: String {
    switch role {
    case .target, .fallback, .cache: ""
    case .synchronization: "not synced: "
    case .rollback: "not undone: "
    }
  }
}

extension Evocation.Log.Request {
  fileprivate var line: String {
    let end = status.map { "\($0)" } ?? "✗ \(error ?? "failed")"
    return "\(method) \(address) \(end) in \(duration.brief)"
  }
}

extension Evocation.Log.Statement {
  fileprivate var line: String {
    let text = sql.split(whereSeparator: \.isNewline).joined(separator: " ")
    return "\(database) \(text) in \(duration.brief)"
  }
}
