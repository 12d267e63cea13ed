/// Work with a time limit, which is canceled at the limit and not waited for.
///
/// A task group would wait for its children, and a repository that ignores cancellation would hold
/// up the call forever. So the work and the timer run in tasks of their own.
package struct Race: Sendable {
  let time: TimeSource
  let limit: Duration
  let late: any Error
  /// Runs the work; nil for the executor that the caller prefers.
  let executor: (any TaskExecutor)?

  package init(
    time: TimeSource, limit: Duration, late: any Error, executor: (any TaskExecutor)? = nil
  ) {
    self.time = time
    self.limit = limit
    self.late = late
    self.executor = executor
  }

  /// Returns the work's result, or a failure if the limit passes or the caller is canceled first.
  ///
  /// The work runs on the caller's actor, if there is one, and on the executor that the caller
  /// prefers. If the limit passes first, the work is
  /// canceled, or passed to `keep` if there is one.
  package func run<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    keep: (@Sendable (Task<Void, Never>) -> Void)? = nil,
    _ work: @escaping @Sendable () async -> Result<Value, any Error>
  ) async -> Result<Value, any Error> {
    guard !Task.isCancelled else { return .failure(CancellationError()) }
    let first = Promise<(result: Result<Value, any Error>, isLate: Bool)>()
    let worker = begin { first.fulfil((await work(), false)) }
    if let result = first.present?.result { return result }
    let timer = Task {
      // A sleep that fails was canceled, because the race is over.
      guard (try? await time.sleep(limit)) != nil else { return }
      first.fulfil((.failure(late), true))
    }
    let (result, isLate) = await withCancellationHandler {
      await withPriorityHandler {
        await first.value
      } onRaised: { priority in
        worker.raise(to: priority)
      }
    } onCancel: {
      first.fulfil((.failure(CancellationError()), false))
      // Canceled here already, so that no request begins after the canceling caller goes on.
      worker.cancel()
    }
    if isLate, let keep {
      keep(worker)
      return result
    }
    worker.cancel()
    timer.cancel()
    return result
  }

  /// Does the same for work that throws.
  package func value<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    of work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run { () -> Result<Value, any Error> in
      do {
        return .success(try await work())
      } catch {
        return .failure(Task.isCancelled ? Cancellation.error() : error)
      }
    }.get()
  }

  private func begin(
    isolation: isolated (any Actor)? = #isolation, _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    let executor = executor ?? .preferredByCaller
    guard isolation != nil else { return Task(executorPreference: executor) { await work() } }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // The task is already on its actor, so it need not wait for another turn there.
      return Task.immediate(executorPreference: executor) {
        _ = isolation
        await work()
      }
    }
    return Task(executorPreference: executor) {
      _ = isolation
      await work()
    }
  }
}

/// An executor of Evocation's own, which is for one task.
package protocol OwnExecutor: TaskExecutor {}

extension Optional where Wrapped == any TaskExecutor {
  /// The executor that the caller's task prefers; nil if it prefers none, or one of Evocation's own.
  ///
  /// Child tasks take it over, other tasks do not. Systems before this one, and Swift 6.2, cannot
  /// say which it is.
  fileprivate static var preferredByCaller: Self {
    #if compiler(>=6.3)
      guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else {
        return nil
      }
      // The task that runs this keeps the executor for as long as it prefers it.
      let preferred = unsafe withUnsafeCurrentTask { task in
        unsafe task?.unownedTaskExecutor?.asTaskExecutor()
      }
      return preferred is any OwnExecutor ? nil : preferred
    #else
      return nil
    #endif
  }
}
