import Dispatch

/// An actor with a thread of its own, as the main actor has one, which a test may keep busy.
actor Screen {
  private nonisolated let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs something where the screen is.
  func run<Value: Sendable>(
    _ body: @Sendable (isolated Screen) async throws -> Value
  ) async throws -> Value {
    try await body(self)
  }

  /// Begins something where the screen is, and has it run to where it first waits.
  func begin(_ body: @escaping @Sendable (isolated Screen) async throws -> Void) async {
    Task { try await body(self) }
    await withCheckedContinuation { continuation in
      // The screen does one thing after another, so this comes right behind it.
      executor.queue.async { continuation.resume() }
    }
  }

  /// Keeps the screen busy until something that is not on it has ended; false when that does not come.
  func isBusy(until work: @escaping @Sendable () async throws -> Void) -> Bool {
    let isOver = DispatchSemaphore(value: 0)
    Task.detached {
      try await work()
      isOver.signal()
    }
    return isOver.wait(timeout: .now() + .seconds(20)) == .success
  }
}

/// Says whether something ends within the time that what hangs is given, and throws what it throws.
func ends(_ work: @escaping @Sendable () async throws -> Void) async throws -> Bool {
  let (ends, said) = AsyncStream<Result<Bool, any Error>>.makeStream()
  Task.detached {
    do {
      try await work()
      said.yield(.success(true))
    } catch {
      said.yield(.failure(error))
    }
  }
  // A queue of its own has a thread where those of tasks are all taken.
  DispatchQueue(label: "end").asyncAfter(deadline: .now() + .seconds(120)) {
    said.yield(.success(false))
  }
  for await end in ends { return try end.get() }
  return false
}

private final class ThreadExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "screen")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
