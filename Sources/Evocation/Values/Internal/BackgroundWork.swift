import Synchronization

/// Work that nobody waits for, such as a prefetch: its requests let those of the user pass.
///
/// A priority of the task would not do, because a task that waits for another raises its priority.
package final class BackgroundWork: Sendable {
  /// The work that the present task does; nil for a call of the app.
  @TaskLocal package static var current: BackgroundWork?

  private let isWaitedFor = Atomic(false)

  package init() {}

  /// Whether the present task does such work.
  package static var isCurrent: Bool { current?.isBehind ?? false }

  /// Whether still nobody waits for it.
  package var isBehind: Bool { !isWaitedFor.load(ordering: .relaxed) }

  /// Records that a call waits for it from now on, unless the call is such work itself.
  package func join() {
    if !Self.isCurrent { isWaitedFor.store(true, ordering: .relaxed) }
  }
}
