internal import Evocation
internal import Foundation

/// One row of the table of entries: how an entry is written, and how a row is read.
///
/// A file may have any content. A row that cannot be an entry is returned as an unreadable entry,
/// and never stops reading the others.
enum EntryRow {
  /// The columns that are written, in the order of the parameters.
  private static let written = [
    "position", "queue", "key", "id", "kind", "queuedAt", "model", "base", "version", "seen",
    "state",
    "until", "since", "failure", "reason", "attempts", "flags", "unit", "words",
  ]

  /// The columns that are read.
  static let columns = (["position"] + written.dropFirst(2)).joined(separator: ", ")

  /// The same in a file whose table has no words yet.
  static let columnsWithoutWords = columns.replacing("words", with: "NULL")

  static let insert = {
    let values = (1...written.count).map { "?\($0)" }.joined(separator: ", ")
    return
      "INSERT INTO evocation_entries (\(written.joined(separator: ", "))) VALUES (\(values))"
  }()
  static let replace = {
    let changes = written.enumerated().dropFirst().map { "\($1) = ?\($0 + 1)" }
    return "UPDATE evocation_entries SET \(changes.joined(separator: ", ")) WHERE position = ?1"
  }()
  /// Adds an entry, unless its instance has one that the file's index knows.
  ///
  /// In that case the queue is null, and SQLite ignores the row. A separate search would double the
  /// cost ("storeOne, by the outbox").
  static let insertFirst = """
    INSERT OR IGNORE INTO evocation_entries (position, queue, key, id, kind, queuedAt, model, base, \
    version) VALUES (?1, CASE WHEN EXISTS (SELECT 1 FROM evocation_entries WHERE lookup = ?9 AND queue = ?2 \
    AND key = ?3) THEN NULL ELSE ?2 END, ?3, ?4, ?5, ?6, ?7, ?8, (SELECT version FROM evocation_versions \
    WHERE queue = ?10 AND key = ?3))
    """
  static let merge = "UPDATE evocation_entries SET kind = ?2, model = ?3 WHERE position = ?1"
  /// The state of a pending entry.
  static let pending = "CASE WHEN flags & \(EntryTables.Flags.isUtility) THEN 0 END"
  static let setState = """
    UPDATE evocation_entries SET state = ifnull(?, \(pending)), until = ?, since = ?, failure = ?, reason = ?, words = ?, \
    attempts = ?, flags = (ifnull(flags, 0) & \(~EntryTables.Flags.wasAttempted)) | ? WHERE position = ? \
    AND id = ?
    """
  static let setUnitState = """
    UPDATE evocation_entries SET state = ?, until = ?, since = ?, failure = ?, reason = ?, words = NULL \
    WHERE position = ?
    """
  static let park = """
    UPDATE evocation_entries SET state = 3, reason = ?1, words = NULL WHERE position = ?2 AND (id = ?3 OR \
    typeof(id) <> 'text')
    """

  private static let kinds: [Outbox.EntryKind] = [.store, .update, .storeOrUpdate, .remove]

  static func kind(_ number: Int64) -> Outbox.EntryKind? {
    Int(exactly: number).flatMap { kinds.indices.contains($0) ? kinds[$0] : nil }
  }

  static func number(of kind: Outbox.EntryKind) -> Int64 {
    Int64(kinds.firstIndex(of: kind) ?? 0)
  }

  /// Returns the values of the columns that are written, with null for the models.
  static func values<Model>(
    of entry: Outbox.Entry<Model>, _ key: String, queue: Int64
  ) -> [SQLValue] {
    let hasReferences = !entry.references.isEmpty || !entry.formerReferences.isEmpty
    let flags =
      (hasReferences ? EntryTables.Flags.hasReferences : 0)
      | (entry.refreshed == nil ? 0 : EntryTables.Flags.hasSeen)
      | (entry.isSeenSince ? EntryTables.Flags.isSeenSince : 0)
      | (entry.wasAttempted ? EntryTables.Flags.wasAttempted : 0)
      | (entry.priority == .utility ? EntryTables.Flags.isUtility : 0)
    let pending = entry.priority == .utility ? SQLValue.integer(0) : .null
    return [
      .integer(entry.position), .integer(queue), .text(key), .text(entry.id),
      .integer(number(of: entry.kind)), .real(StoredDate.seconds(entry.queuedAt)), .null, .null,
      entry.note?.stored ?? .null, .null,
    ] + values(of: entry.state, since: entry.waitsSince, pending: pending) + [
      .integer(Int64(max(0, entry.attempts))), .integer(flags),
      entry.unit.map { .integer($0) } ?? .null, stored(entry.words),
    ]
  }

  /// Returns the value of the column `words`.
  static func stored(_ words: ServiceWords?) -> SQLValue {
    let json = words.flatMap { try? JSONEncoder().encode($0) }
    return json.map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
  }

  /// Returns the values of the columns `state`, `until`, `since`, `failure` and `reason`.
  static func values(
    of state: Outbox.EntryState, since: Date? = nil, pending: SQLValue = .null
  ) -> [SQLValue] {
    switch state {
    case .pending, .sending: [pending, .null, .null, .null, .null]
    case .waiting(let until, let reason):
      [
        .integer(1), .real(StoredDate.seconds(until)),
        since.map { .real(StoredDate.seconds($0)) } ?? .null, .null, .text(reason),
      ]
    case .parked(let kind, let reason):
      [.integer(2), .null, .null, .text(kind.rawValue), .text(reason)]
    }
  }
}

/// Reads the present row of a statement that returns ``EntryRow/columns``.
struct EntryRowReader<Model: Codable & Sendable> {
  let statement: Statement
  let queue: String
  /// Returns the text that identifies the model's instance.
  let key: (Model) -> String
  /// Returns the instances that an entry's model refers to, or that only its base refers to.
  let references: (Int64, _ isFormer: Bool) throws -> [Outbox.Reference]

  /// The reason why a row is not an entry.
  private struct Fault: Error { let reason: String }

  private func fault(_ reason: String) -> Fault {
    Fault(reason: "Reading an entry of \(Model.self) failed: \(reason).")
  }

  /// Returns the entry of the row.
  func record() -> OutboxRecord<Model> {
    do {
      return .entry(try entry())
    } catch let fault as Fault {
      return .unreadable(unreadable(fault.reason))
    } catch {
      return .unreadable(unreadable(fault("it could not be decoded").reason))
    }
  }

  // The columns are: 0 position, 1 key, 2 id, 3 kind, 4 queuedAt, 5 model, 6 base, 7 version, 8
  // seen, 9 state, 10 until, 11 since, 12 failure, 13 reason, 14 attempts, 15 flags, 16 unit, 17
  // words.
  private func entry() throws -> Outbox.Entry<Model> {
    let state = try state()
    guard let id = statement.text(at: 2) else { throw fault("its id is not text") }
    guard case .integer(let kind) = statement.value(at: 3), let kind = EntryRow.kind(kind) else {
      throw fault("this version does not know its operation")
    }
    guard let attempts = (try? number(at: 14)).flatMap(Int.init(exactly:)), attempts >= 0 else {
      throw fault("its attempts are not a count")
    }
    let flags = try number(at: 15)
    guard let queuedAt = StoredDate.read(statement, at: 4) else {
      throw fault("its date is not a date")
    }
    guard let model = try payload(at: 5, "model") else { throw fault("it has no model") }
    guard let key = statement.text(at: 1), key.hasSameBytes(as: self.key(model)) else {
      throw fault("its model has another id than the entry")
    }
    var entry = Outbox.Entry(
      id: id, kind: kind, model: model, base: try payload(at: 6, "base"),
      note: statement.note(at: 7),
      queuedAt: queuedAt, attempts: attempts, state: state, position: statement.integer(at: 0),
      wasAttempted: flags & EntryTables.Flags.wasAttempted != 0,
      priority: flags & EntryTables.Flags.isUtility != 0 ? .utility : .normal)
    if flags & EntryTables.Flags.hasSeen != 0 { entry.seen = try payload(at: 8, "base") }
    entry.isSeenSince = flags & EntryTables.Flags.isSeenSince != 0
    entry.waitsSince = StoredDate.read(statement, at: 11)
    entry.words = statement.data(at: 17).flatMap {
      try? JSONDecoder().decode(ServiceWords.self, from: $0.bytes)
    }
    if case .integer(let unit) = statement.value(at: 16), unit <= entry.position {
      entry.unit = unit
    }
    if flags & EntryTables.Flags.hasReferences != 0 {
      entry.references = try references(entry.position, false)
      entry.formerReferences = try references(entry.position, true)
    }
    return entry
  }

  private func state() throws -> Outbox.EntryState {
    switch statement.value(at: 9) {
    case .null, .integer(0): return .pending
    case .integer(1):
      guard let until = StoredDate.read(statement, at: 10) else {
        throw fault("the time until which it waits is not a date")
      }
      return .waiting(until: until, reason: statement.text(at: 13) ?? "")
    case .integer(2):
      guard let kind = statement.text(at: 12).flatMap(FailureKind.init) else {
        throw fault("this version does not know why it is parked")
      }
      return .parked(kind, reason: statement.text(at: 13) ?? "")
    case .integer(3):
      throw statement.text(at: 13).map(Fault.init(reason:)) ?? fault("it could not be decoded")
    default: throw fault("this version does not know its state")
    }
  }

  /// Returns a number; zero for null.
  private func number(at index: Int32) throws -> Int64 {
    switch statement.value(at: index) {
    case .null: return 0
    case .integer(let number): return number
    default: throw fault("one of its numbers is not a number")
    }
  }

  /// Decodes a model; nil for null.
  private func payload(at index: Int32, _ name: String) throws -> Model? {
    if statement.value(at: index) == .null { return nil }
    guard let (data, isText) = statement.data(at: index), isText else {
      throw fault("its \(name) is not text")
    }
    do {
      return try ModelJSON.model(Model.self, data)
    } catch let error as DecodingError {
      throw fault(
        error.reason(
          key: { "\"\($0)\" of its \(name)" }, whole: "its \(name)", format: "is not JSON"))
    } catch {
      throw fault("its \(name) refuses what it holds")
    }
  }

  private func unreadable(_ reason: String) -> Outbox.UnreadableEntry {
    let position = statement.integer(at: 0)
    return Outbox.UnreadableEntry(
      id: statement.text(at: 2) ?? "\(position)",
      kind: EntryRow.kind(statement.integer(at: 3)) ?? .update,
      queue: queue, queuedAt: StoredDate.read(statement, at: 4) ?? .distantPast, reason: reason,
      json: statement.data(at: 5)?.bytes ?? Data(), position: position)
  }
}

extension AnswerNote {
  /// The note in a column: a version is text, and keys are a blob with their JSON.
  var stored: SQLValue {
    switch self {
    case .version(let version): .text(version)
    case .unsaid(let keys): .blob((try? JSONEncoder().encode(keys.sorted())).map(Array.init) ?? [])
    }
  }
}

extension Statement {
  /// Returns the note in a column; nil if there is none.
  func note(at index: Int32) -> AnswerNote? {
    switch value(at: index) {
    case .text(let version): return .version(version)
    case .blob(let json):
      let keys = try? JSONDecoder().decode(Set<String>.self, from: Data(json))
      return keys.map { .unsaid($0) }
    case .null, .integer, .real, .textBytes: return nil
    }
  }
}
