internal import Evocation
internal import Foundation

/// One row of a queue's table: how an entry is written, and what is made of one that was found.
///
/// A file may hold anything. Whatever cannot be an entry is given as one that is unreadable, and
/// never stops the reading of others.
enum QueueRow {
  /// The columns that are written, in the order of the parameters.
  static let written = [
    "key", "id", "kind", "state", "until", "failure", "reason", "attempts", "wasAttempted",
    "queuedAt", "refs", "model", "base",
  ]

  /// The columns that are read: the position, and those that are written.
  static let columns = "position, " + written.joined(separator: ", ")

  /// The columns that are read, of a table that the query calls so.
  static func columns(of name: String) -> String {
    (["position"] + written).map { "\(name).\($0)" }.joined(separator: ", ")
  }

  /// Binds an entry to the columns that are written; `json` binds a model to a parameter.
  static func bind<Model>(
    _ entry: Outbox.Entry<Model>, _ key: String, to statement: Statement,
    _ connection: Connection, json: (Model, Int32) throws -> Void
  ) throws {
    let count = Int32(written.count)
    // The models first, because that runs the app's code, which may throw.
    try json(entry.model, count - 1)
    if let base = entry.base {
      try json(base, count)
    } else {
      try connection.check(statement.bind(.null, at: count), "Binding a value")
    }
    let references = entry.references.isEmpty ? nil : try JSONEncoder().encode(entry.references)
    var parameters = Parameters(statement: statement, connection: connection)
    try parameters.add(.text(key))
    try parameters.add(.text(entry.id))
    try parameters.add(.text(entry.kind.rawValue))
    try parameters.add(entry.state)
    try parameters.addNumbers(of: entry)
    try parameters.add(.real(StoredDate.seconds(entry.queuedAt)))
    try parameters.add(references)
  }

  /// Binds what becomes of an entry next, and where it stands.
  static func bindState<Model>(
    of entry: Outbox.Entry<Model>, to statement: Statement, _ connection: Connection
  ) throws {
    var parameters = Parameters(statement: statement, connection: connection)
    try parameters.add(entry.state)
    try parameters.addNumbers(of: entry)
    try parameters.add(.integer(entry.position))
    try parameters.add(.text(entry.id))
  }

  /// The parameters of a statement, one after the other, without an array of them (`storeOne, outbox`).
  private struct Parameters {
    let statement: Statement
    let connection: Connection
    private var index: Int32 = 0

    init(statement: Statement, connection: Connection) {
      self.statement = statement
      self.connection = connection
    }

    mutating func add(_ value: SQLValue) throws {
      index += 1
      try connection.check(statement.bind(value, at: index), "Binding a value")
    }

    /// Adds JSON; nil is null.
    mutating func add(_ json: Data?) throws {
      guard let json else { return try add(.null) }
      index += 1
      let code = json.withUnsafeBytes { statement.bind(text: $0, at: index) }
      try connection.check(code, "Binding a value")
    }

    /// Adds the columns `state`, `until`, `failure` and `reason`.
    mutating func add(_ state: Outbox.EntryState) throws {
      switch state {
      case .pending: try add("pending", .null, .null, .null)
      case .sending: try add("sending", .null, .null, .null)
      case .waiting(let until, let reason):
        try add("waiting", .real(StoredDate.seconds(until)), .null, .text(reason))
      case .parked(let kind, let reason):
        try add("parked", .null, .text(kind.rawValue), .text(reason))
      }
    }

    /// Adds the columns `attempts` and `wasAttempted`.
    mutating func addNumbers<Model>(of entry: Outbox.Entry<Model>) throws {
      try add(.integer(Int64(max(0, entry.attempts))))
      try add(.integer(entry.wasAttempted ? 1 : 0))
    }

    private mutating func add(
      _ state: String, _ until: SQLValue, _ failure: SQLValue, _ reason: SQLValue
    ) throws {
      try add(.text(state))
      try add(until)
      try add(failure)
      try add(reason)
    }
  }
}

/// Reads the present row of a statement that gives ``QueueRow/columns``.
struct QueueRowReader<Model: Codable & Sendable> {
  let statement: Statement
  let queue: String
  /// The text that names the model's instance.
  let key: (Model) -> String

  /// Why a row is no entry.
  private struct Fault: Error {
    let reason: String

    init(_ reason: String) {
      self.reason = "Reading an entry of \(Model.self) failed: \(reason)."
    }

    init(stored: String) {
      reason = stored
    }
  }

  /// The entry of the row.
  func record() -> OutboxRecord<Model> {
    do {
      return .entry(try entry())
    } catch let fault as Fault {
      return .unreadable(unreadable(fault.reason))
    } catch {
      return .unreadable(unreadable(Fault("it could not be decoded").reason))
    }
  }

  private func entry() throws -> Outbox.Entry<Model> {
    let state = try state()
    guard let id = text(at: 2) else { throw Fault("its id is not text") }
    guard let kind = text(at: 3).flatMap(Outbox.EntryKind.init) else {
      throw Fault("what it does is not known to this version")
    }
    guard case .integer(let number) = statement.value(at: 8), let attempts = Int(exactly: number),
      attempts >= 0
    else { throw Fault("its attempts are not a count") }
    guard case .integer(let wasAttempted) = statement.value(at: 9), 0...1 ~= wasAttempted else {
      throw Fault("it does not say whether it was attempted")
    }
    guard let queuedAt = StoredDate.read(statement, at: 10) else {
      throw Fault("its date is not one")
    }
    let model = try payload(at: 12, "model")
    guard let model else { throw Fault("it has no model") }
    guard text(at: 1) == key(model) else {
      throw Fault("its model has another id than it was queued for")
    }
    return Outbox.Entry(
      id: id, kind: kind, model: model, base: try payload(at: 13, "base"), queuedAt: queuedAt,
      attempts: attempts, state: state, position: statement.integer(at: 0),
      wasAttempted: wasAttempted == 1, references: try references())
  }

  private func state() throws -> Outbox.EntryState {
    switch text(at: 4) {
    case "pending": return .pending
    case "sending": return .sending
    case "waiting":
      guard let until = StoredDate.read(statement, at: 5) else {
        throw Fault("the time that it waits for is not one")
      }
      return .waiting(until: until, reason: text(at: 7) ?? "")
    case "parked":
      guard let kind = text(at: 6).flatMap(FailureKind.init) else {
        throw Fault("why it is parked is not known to this version")
      }
      return .parked(kind, reason: text(at: 7) ?? "")
    case "unreadable":
      throw text(at: 7).map(Fault.init(stored:)) ?? Fault("it could not be decoded")
    default: throw Fault("its state is not known to this version")
    }
  }

  private func references() throws -> [Outbox.Reference] {
    guard let data = statement.data(at: 11)?.bytes else { return [] }
    do {
      return try JSONDecoder().decode([Outbox.Reference].self, from: data)
    } catch {
      throw Fault("what it refers to could not be decoded")
    }
  }

  /// Decodes a model; nil for null.
  private func payload(at index: Int32, _ name: String) throws -> Model? {
    guard let (data, isText) = statement.data(at: index) else {
      if statement.value(at: index) == .null { return nil }
      throw Fault("its \(name) is not text")
    }
    guard isText else { throw Fault("its \(name) is not text") }
    do {
      return try PayloadCoding.model(Model.self, data)
    } catch let error as DecodingError {
      throw Fault(Self.reason(error, name))
    } catch {
      throw Fault("its \(name) refuses what it holds")
    }
  }

  /// Says what does not fit, by the model's key and without its value.
  private static func reason(_ error: DecodingError, _ name: String) -> String {
    func key(_ path: [any CodingKey]) -> String? {
      path.first.map { "\"\($0.stringValue)\" of its \(name)" }
    }
    switch error {
    case .keyNotFound(let missing, let context):
      return "\(key(context.codingPath + [missing]) ?? "its \(name)") is missing, or a part of it"
    case .valueNotFound(_, let context):
      return "\(key(context.codingPath) ?? "its \(name)") has no value"
    case .typeMismatch(_, let context):
      return "\(key(context.codingPath) ?? "its \(name)") is of another type"
    case .dataCorrupted(let context):
      return key(context.codingPath).map { "\($0) has a value that it cannot have" }
        ?? "its \(name) is not JSON"
    @unknown default: return "its \(name) could not be decoded"
    }
  }

  private func unreadable(_ reason: String) -> Outbox.UnreadableEntry {
    let position = statement.integer(at: 0)
    return Outbox.UnreadableEntry(
      id: text(at: 2) ?? "\(position)", kind: text(at: 3).flatMap(Outbox.EntryKind.init) ?? .update,
      queue: queue, queuedAt: StoredDate.read(statement, at: 10) ?? .distantPast, reason: reason,
      json: statement.data(at: 12)?.bytes ?? Data(), position: position)
  }

  private func text(at index: Int32) -> String? {
    if case .text(let text) = statement.value(at: index) { text } else { nil }
  }
}
