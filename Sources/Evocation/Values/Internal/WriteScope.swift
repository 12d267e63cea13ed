import Synchronization

/// Marks a task as inside work that others may wait for, such as a write in its turn.
///
/// So a call inside the work is recognized before it would wait for itself.
@usableFromInline package final class WriteScope: Sendable {
  @usableFromInline package static let ofTask = TaskLocal<WriteScope?>(wrappedValue: nil)

  private static var current: WriteScope? { ofTask.get() }

  /// The work, which other calls wait for until it is done.
  let awaited: any AnyObject & Sendable
  let outer: WriteScope?
  private let isClosed = Atomic(false)

  /// Opens a scope; by default inside the present one.
  @usableFromInline
  package init(_ awaited: any AnyObject & Sendable, inside outer: WriteScope? = .open) {
    self.awaited = awaited
    self.outer = outer
  }

  /// Runs the body as part of the work, until it ends.
  @inlinable
  package static func run<Value>(
    _ awaited: any AnyObject & Sendable, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Value
  ) async rethrows -> Value {
    let scope = WriteScope(awaited, inside: open)
    defer { scope.close() }
    return try await ofTask.binding(scope, body)
  }

  /// Ends the scope; tasks that go on after it are no longer inside the work.
  @usableFromInline
  package func close() {
    isClosed.store(true, ordering: .releasing)
  }

  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// The innermost scope around this task that has not ended.
  @usableFromInline
  package static var open: WriteScope? {
    var scope = current
    while let found = scope, !found.isOpen { scope = found.outer }
    return scope
  }

  /// Begins something, such as a task, that is not part of the work around it.
  package static func apart<Value>(_ begin: () -> Value) -> Value {
    current == nil ? begin() : ofTask.withValue(nil, operation: begin)
  }

  /// Whether this task is inside this work.
  package static func isInside(_ awaited: AnyObject) -> Bool {
    var scope = current
    while let next = scope {
      if next.awaited === awaited, next.isOpen { return true }
      scope = next.outer
    }
    return false
  }

  /// The work around this task, the innermost first.
  package static var around: [AnyObject] {
    var (found, scope): ([AnyObject], WriteScope?) = ([], current)
    while let next = scope {
      if next.isOpen { found.append(next.awaited) }
      scope = next.outer
    }
    return found
  }
}
