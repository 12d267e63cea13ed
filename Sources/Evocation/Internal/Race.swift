/// Work against the clock, where the loser is cancelled and not waited for.
///
/// A task group would wait for its children, and a repository that does not heed cancellation
/// would hold up the call for ever; so both run in tasks of their own.
package struct Race: Sendable {
  let time: TimeSource
  let limit: Duration
  let late: any Error
  /// What runs the work of a caller that is on no actor; nil for the threads that Swift shares.
  let executor: (any TaskExecutor)?

  package init(
    time: TimeSource, limit: Duration, late: any Error, executor: (any TaskExecutor)? = nil
  ) {
    self.time = time
    self.limit = limit
    self.late = late
    self.executor = executor
  }

  /// Gives the work's result, or a failure when the limit passed or the caller was cancelled first.
  ///
  /// The work runs on the caller's actor, if it is on one. Where it loses against the limit, `keep` is
  /// given it in place of its being cancelled.
  func run<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    keep: (@Sendable (Task<Void, Never>) -> Void)? = nil,
    _ work: @escaping @Sendable () async -> Result<Value, any Error>
  ) async -> Result<Value, any Error> {
    guard !Task.isCancelled else { return .failure(CancellationError()) }
    let first = Promise<(result: Result<Value, any Error>, isLate: Bool)>()
    let worker = begin { first.fulfil((await work(), false)) }
    if let result = first.present?.result { return result }
    let timer = Task {
      // A sleep that fails was cancelled, because the race is over.
      guard (try? await time.sleep(limit)) != nil else { return }
      first.fulfil((.failure(late), true))
    }
    let (result, isLate) = await withCancellationHandler {
      await first.value
    } onCancel: {
      first.fulfil((.failure(CancellationError()), false))
      // Here already, so that no request begins once the one who cancelled goes on.
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

  /// The same for work that throws.
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
    guard isolation != nil else { return Task(executorPreference: executor) { await work() } }
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // It is on its actor already, so it need not wait for another turn there.
      return Task.immediate {
        _ = isolation
        await work()
      }
    }
    return Task {
      _ = isolation
      await work()
    }
  }
}
