internal import Evocation
internal import Foundation

/// Reads and writes the table of sign-outs that empty several files, on one connection.
///
/// The first file of a sign-out decides. It becomes `marked` before anything is emptied, `decided`
/// in the transaction that empties it, and `done` when all others are emptied. The other files
/// become `marked`, and `done` in the transactions that empty them. A sign-out that was not decided
/// becomes `abandoned`.
struct SignOutTable {
  enum State: String {
    case marked, decided, done, abandoned
  }

  struct Row {
    let id: String
    let state: State
    /// Nil if it cannot be read.
    let plan: SignOutPlan?
  }

  private static let action = "Writing the table of sign-outs"
  /// How many finished sign-outs a file remembers.
  private static let mostKept = 16
  /// The maximum length of a plan in bytes, because a file may have any content.
  private static let longestPlan = 1 << 20

  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  var isThere: Bool {
    get throws {
      try connection.first("SELECT 1 FROM sqlite_schema WHERE name = 'evocation_sign_outs'") != nil
    }
  }

  /// Creates the table if it is missing, and marks the file.
  func mark(_ id: String, _ plan: SignOutPlan) throws {
    try connection.writeFormat()
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS evocation_sign_outs (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, \
      state TEXT NOT NULL, plan BLOB NOT NULL)
      """, Self.action)
    try connection.run(
      "INSERT INTO evocation_sign_outs (id, state, plan) VALUES (?, ?, ?)",
      [
        .text(id), .text(State.marked.rawValue), .blob([UInt8](try JSONEncoder().encode(plan))),
      ], Self.action)
    try connection.run(
      """
      DELETE FROM evocation_sign_outs WHERE state NOT IN ('marked', 'decided') AND number <= (SELECT \
      max(number) FROM evocation_sign_outs) - ?
      """, [.integer(Int64(Self.mostKept))], Self.action)
  }

  /// Returns the state of a sign-out; nil if the file has no record of it.
  func state(of id: String) throws -> State? {
    guard
      case .text(let state)? = try connection.first(
        "SELECT state FROM evocation_sign_outs WHERE id = ?", [.text(id)])
    else { return nil }
    return State(rawValue: state)
  }

  func set(_ id: String, _ state: State) throws {
    try connection.run(
      "UPDATE evocation_sign_outs SET state = ? WHERE id = ?", [.text(state.rawValue), .text(id)],
      Self.action)
  }

  /// Returns the unfinished sign-outs; with an id, only this one.
  func pending(_ id: String? = nil) throws -> [Row] {
    var rows: [Row] = []
    try connection.rows(
      """
      SELECT id, state, CASE WHEN length(plan) <= ? THEN CAST(plan AS BLOB) END FROM \
      evocation_sign_outs WHERE state IN ('marked', 'decided') AND (?2 IS NULL OR id = ?2) ORDER BY \
      number LIMIT ?
      """,
      [
        .integer(Int64(Self.longestPlan)), id.map { .text($0) } ?? .null,
        .integer(Int64(SignOutPlan.mostFiles)),
      ], Self.action
    ) { statement in
      guard case .text(let id) = statement.value(at: 0),
        case .text(let text) = statement.value(at: 1), let state = State(rawValue: text)
      else { return true }
      var plan: SignOutPlan?
      if case .blob(let bytes) = statement.value(at: 2) {
        plan = try? JSONDecoder().decode(SignOutPlan.self, from: Data(bytes))
      }
      rows.append(Row(id: id, state: state, plan: plan))
      return true
    }
    return rows
  }
}

extension Connection {
  /// Runs a transaction whose commit waits for the disk, independent of the configuration.
  ///
  /// Otherwise a power cut could leave a sign-out of several files half done.
  func durably<Value>(_ body: () throws -> Value) throws -> Value {
    let action = "Signing out"
    guard case .integer(let before)? = try first("PRAGMA synchronous"),
      case .integer(let wasFull)? = try first("PRAGMA fullfsync")
    else { return try body() }
    defer {
      try? execute("PRAGMA synchronous = \(before)", action)
      try? execute("PRAGMA fullfsync = \(wasFull)", action)
    }
    try execute("PRAGMA synchronous = FULL", action)
    // On Apple's systems, `fsync` leaves written bytes in the drive's cache.
    try execute("PRAGMA fullfsync = 1", action)
    return try body()
  }
}
