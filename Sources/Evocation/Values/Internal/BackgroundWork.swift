/// Work that nobody waits for, such as a prefetch: its requests let those of the user pass.
///
/// A priority of the task would not do, because a task that waits for another raises its priority.
package enum BackgroundWork {
  /// Whether the present task does such work.
  @TaskLocal package static var isCurrent = false

  /// The priority of what the present task waits for: its own, and of such work at most `utility`.
  package static var priority: TaskPriority {
    isCurrent ? min(.utility, Task.currentPriority) : Task.currentPriority
  }
}
