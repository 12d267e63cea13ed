extension Evocation {
  /// Observing that goes on until it is cancelled, or this object is released.
  ///
  /// Keep it for as long as the calls are needed. It can be cancelled from any thread, and more
  /// than once. The type is nested because one named `Observation` at the top level would hide the
  /// standard library's module of that name from every `@Observable` class.
  public final class Observation: Sendable {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// Makes an observation that runs `onCancel` once, when it ends.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
      self.onCancel = Lock(onCancel)
    }

    deinit { cancel() }

    /// Ends the observation; a second time does nothing.
    public func cancel() {
      let action = onCancel.withLock { action in
        defer { action = nil }
        return action
      }
      action?()
    }
  }
}
