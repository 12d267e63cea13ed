import Evocation

/// A model as the service and the check know it, whatever its type.
///
/// The texts of a title and a body name the write that set them.
struct Record: Hashable, Sendable, CustomStringConvertible {
  enum Kind: String, Sendable, CaseIterable { case note, remark }

  /// What a write may change.
  enum Field: CaseIterable { case title, body, note }

  var kind: Kind
  /// Below zero until the service has given it an id of its own.
  var id: Int
  var title, body: String
  /// The note that a remark is on.
  var note: Int?
  /// What the service counts in the model; zero where it has its versions elsewhere.
  var version = 0

  var name: Name { Name(kind: kind, id: id) }

  /// The name of what it refers to.
  var reference: Name? { note.map { Name(kind: .note, id: $0) } }

  var description: String {
    "\(name):\(title)/\(body)" + (note.map { " on \($0)" } ?? "")
      + (version == 0 ? "" : "@\(version)")
  }
}

/// Names an instance.
struct Name: Hashable, Comparable, Sendable, CustomStringConvertible {
  let kind: Record.Kind
  let id: Int

  static func < (left: Name, right: Name) -> Bool {
    (left.kind.rawValue, left.id) < (right.kind.rawValue, right.id)
  }

  var description: String { "\(kind.rawValue.prefix(1))\(id)" }
}

/// A model type of the app.
protocol AppModel: Codable, Hashable, Identifiable, Sendable where ID == Int {
  static var kind: Record.Kind { get }

  init(_ record: Record)

  var record: Record { get }
}

struct Note: AppModel {
  static var kind: Record.Kind { .note }

  let id: Int
  let title, body: String
  let version: Int

  init(_ record: Record) {
    (id, title, body, version) = (record.id, record.title, record.body, record.version)
  }

  var record: Record { Record(kind: .note, id: id, title: title, body: body, version: version) }
}

/// What refers to a note, and is sent after it.
struct Remark: AppModel {
  static var kind: Record.Kind { .remark }

  let id: Int
  let title, body: String
  let version: Int
  var note: Int

  init(_ record: Record) {
    (id, title, body, version) = (record.id, record.title, record.body, record.version)
    note = record.note ?? 0
  }

  var record: Record {
    Record(kind: .remark, id: id, title: title, body: body, note: note, version: version)
  }
}

extension Outbox.Entry {
  /// The same entry on models of another type.
  func map<Other>(_ transform: (Model) -> Other) -> Outbox.Entry<Other> {
    Outbox.Entry<Other>(
      id: id, kind: kind, model: transform(model), base: base.map(transform), note: note,
      queuedAt: queuedAt, attempts: attempts, state: state, position: position,
      wasAttempted: wasAttempted, references: references, formerReferences: formerReferences)
  }

  /// Whether it waits for the user.
  var isRefused: Bool { if case .parked = state { true } else { false } }
}

/// What goes wrong on the way to the service, or there.
struct ServiceError: ConflictError {
  let failureKind: FailureKind
  var scope: FailureScope?
  var retryAfter: Duration?
  /// What the service has, where it says so.
  var present: Service.State?

  init(_ kind: FailureKind, _ scope: FailureScope? = nil) {
    (failureKind, self.scope) = (kind, scope)
  }

  var failureScope: FailureScope {
    scope ?? (failureKind == .permanent || failureKind == .conflict ? .write : .service)
  }

  var current: (any Sendable)? {
    guard let record = present?.record else { return nil }
    return record.kind == .note ? Note(record) : Remark(record)
  }

  var currentVersion: String? { present?.tag }
}

extension ServiceError: CustomStringConvertible {
  var description: String { "\(failureKind) of \(failureScope)" }
}

/// The end of a simulated process, or the failure of its disk.
enum StoreError: Error {
  case processEnded
  case diskFull
}
