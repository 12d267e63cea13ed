// What runs in a task of its own, and what waits for it in another way than by the task's value, would
// keep the priority of whoever began it. Systems before these cannot raise it.

extension Task {
  /// Raises the priority of the task, and of what it waits for, unless it is as high already.
  ///
  /// Not under a lock, because it calls handlers.
  package func raise(to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      escalatePriority(to: priority)
    }
  }
}

/// Runs the body on the caller's actor, with a handler that is called with a raised priority of the
/// task.
package func withPriorityHandler<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async -> Result, onRaised handler: @Sendable (TaskPriority) -> Void
) async -> Result {
  guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
    return await body()
  }
  return await withTaskPriorityEscalationHandler {
    _ = isolation
    return await body()
  } onPriorityEscalated: { _, new in
    handler(new)
  }
}
