import Synchronization

/// What somebody may have to wait for: a turn in a line of writes, or the end of a fetch.
protocol Awaited: AnyObject, Sendable {
  /// What it is called in a sentence, such as a model's name.
  var name: String { get }
}

/// Work that others may have to wait for, such as a write in its turn, known to whatever it calls.
///
/// It is how a call inside it is seen before it waits for itself.
final class WriteScope: Sendable {
  @TaskLocal static var current: WriteScope?

  /// What others wait for until the work is done.
  let awaited: any Awaited
  let outer: WriteScope?
  private let isClosed = Atomic(false)

  /// Opens a scope inside the present one, unless told otherwise.
  init(_ awaited: any Awaited, inside outer: WriteScope? = .open) {
    self.awaited = awaited
    self.outer = outer
  }

  /// Ends the scope; tasks that were left behind may do again what they like.
  func close() {
    isClosed.store(true, ordering: .releasing)
  }

  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// The innermost scope around this task that has not ended.
  static var open: WriteScope? {
    var scope = current
    while let found = scope, !found.isOpen { scope = found.outer }
    return scope
  }

  /// Begins something, such as a task, that is no part of the work around it.
  static func apart<Value>(_ begin: () -> Value) -> Value {
    current == nil ? begin() : $current.withValue(nil, operation: begin)
  }

  /// This scope and those around it that have not ended.
  var all: [WriteScope] {
    var (found, scope): ([WriteScope], WriteScope?) = ([], self)
    while let next = scope {
      if next.isOpen { found.append(next) }
      scope = next.outer
    }
    return found
  }

  /// Whether this task is inside such work, as inside a write on a line.
  static func isInside(_ awaited: some Awaited) -> Bool {
    var scope = current
    while let next = scope {
      if next.awaited === awaited, next.isOpen { return true }
      scope = next.outer
    }
    return false
  }
}
