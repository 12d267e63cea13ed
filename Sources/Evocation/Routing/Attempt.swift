/// Asking one repository: as often, and for as long, as the rule allows.
struct Attempt<Model: Sendable>: Sendable {
  let request: Request<Model>
  let environment: Environment

  /// How it went.
  struct Report: Sendable {
    var result: Result<Response<[Model]>, any Error>
    var attempts = 1
    var duration = Duration.zero
  }

  /// Asks once, and measures.
  func once() async -> Report {
    let start = environment.time.now()
    let result = await answer()
    return Report(result: result, duration: environment.time.now() - start)
  }

  /// Asks with the rule's timeout and retries, and measures.
  func patiently(_ rule: Strategy.Rule, late: EvocationError) async -> Report {
    guard rule.timeout != nil || rule.retry != nil else { return await once() }
    let start = environment.time.now()
    let count = Lock(1)
    let result: Result<Response<[Model]>, any Error>
    if let timeout = rule.timeout {
      let race = Race(time: environment.time, limit: timeout, late: late)
      result = await race.run { await retrying(rule.retry, count) }
    } else {
      result = await retrying(rule.retry, count)
    }
    return Report(
      result: result,
      attempts: count.withLock { $0 },
      duration: environment.time.now() - start
    )
  }

  private func answer() async -> Result<Response<[Model]>, any Error> {
    if Task.isCancelled { return .failure(CancellationError()) }
    do {
      return .success(try await request.answer())
    } catch {
      // Whatever a repository throws because it was cancelled is a cancellation.
      return .failure(Task.isCancelled ? CancellationError() : error)
    }
  }

  private func retrying(
    _ retry: Strategy.Retry?, _ count: Lock<Int>
  ) async -> Result<Response<[Model]>, any Error> {
    while true {
      let result = await answer()
      guard case .failure(let error) = result, !(error is CancellationError),
        let pause = retry?.pause(
          after: count.withLock { $0 }, error, chance: environment.chance()
        )
      else { return result }
      do {
        try await environment.time.sleep(pause)
      } catch {
        return .failure(CancellationError())
      }
      count.withLock { $0 += 1 }
    }
  }
}

extension Attempt.Report {
  /// The outcome as the route knows it.
  var outcome: Route.Outcome {
    switch result {
    case .success(let response): response.value.isEmpty ? .empty : .models
    case .failure(let error): error is CancellationError ? .cancelled : .failure
    }
  }
}
