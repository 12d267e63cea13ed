extension Evocation {
  /// An observation that goes on until you cancel it, or release this object.
  ///
  /// Keep it as long as you need the calls. You can cancel it from any thread, and more than once.
  /// The type is nested because a top-level type named `Observation` would hide the standard
  /// library's module of that name from every `@Observable` class.
  public final class Observation: Sendable, PlainlyPrinted {
    private let onCancel: Lock<(@Sendable () -> Void)?>

    /// Creates an observation that runs `onCancel` once, when it ends.
    public init(_ onCancel: @escaping @Sendable () -> Void) {
      self.onCancel = Lock(onCancel)
    }

    deinit { cancel() }

    /// Ends the observation; a second call does nothing.
    public func cancel() {
      let action = onCancel.withLock { action in
        defer { action = nil }
        return action
      }
      action?()
    }
  }
}
