/// An attempt at the target that may go on after its timeout, and whose answer is kept then.
final class LateAnswer<Model: Sendable>: Sendable {
  /// For so long an answer is waited for behind its timeout: as long as a request of `URLSession`.
  static var longest: Duration { .seconds(60) }

  /// What came of it, which may be before the timeout.
  let answer = Promise<Result<Answer<Model>, any Error>>()
  private let worker = Lock<Task<Void, Never>?>(nil)
  private let time: TimeSource
  private let start: Duration

  init(_ time: TimeSource) {
    self.time = time
    start = time.now()
  }

  /// Whether the timeout has passed, and the attempt goes on.
  var isKept: Bool { worker.withLock { $0 != nil } }

  /// Notes that the timeout has passed.
  func keep(_ task: Task<Void, Never>) {
    worker.withLock { $0 = task }
  }

  /// Cancels the attempt where it goes on, and keeps nothing of it.
  func cancel() {
    end()?.cancel()
  }

  /// Ends the keeping, and gives the attempt that went on.
  @discardableResult
  func end() -> Task<Void, Never>? {
    worker.withLock { worker in
      defer { worker = nil }
      return worker
    }
  }

  /// Waits for the answer; nil where it does not come in time, or this task is cancelled first.
  func value(within limit: Duration) async -> Result<Answer<Model>, any Error>? {
    let first = Promise<Result<Answer<Model>, any Error>?>()
    answer.whenFulfilled { [answer] in first.fulfil(answer.present) }
    let timer = Task { [time] in
      if (try? await time.sleep(limit)) != nil { first.fulfil(nil) }
    }
    let value = await withCancellationHandler {
      await first.value
    } onCancel: {
      first.fulfil(nil)
    }
    timer.cancel()
    return value
  }

  /// What it is in metadata.
  func metadata(_ answer: Answer<Model>) -> Evocation.Metadata {
    Evocation.Metadata(
      role: .target, duration: time.now().subtracting(start), count: answer.count,
      values: answer.values, versions: answer.versions)
  }
}

/// A target that answers a read after the rule's timeout.
extension Call {
  /// Whether the answer is kept where it comes after the timeout.
  func canKeepLate(_ rule: Strategy.Rule) -> Bool {
    rule.keepsLateAnswers && operation.isRead && operation.givesModels && wiring.hasLocal
  }

  /// The attempt of a read that had joined another one for as long as its rule allows.
  func lateAttempt(_ type: Evocation.RepositoryType, _ rule: Strategy.Rule) -> Attempt {
    let limit = rule.longestWait(for: self) ?? .zero
    let error = EvocationError.timedOut(type, model: proxy.model, after: rule.timeout ?? limit)
    return (
      [], Evocation.Metadata(role: .target, duration: limit, attempts: 0, error: error)
    )
  }

  /// Decides what becomes of an attempt that goes on after its timeout, when the call would end.
  ///
  /// Where the fallback has nothing, the call waits for it, as long again as the timeout was: then the
  /// answer is given, or that the caller has cancelled. Else it is saved behind the call's answer, and
  /// nil is given.
  func settle(
    _ late: LateAnswer<Model>, _ verdict: Route.Verdict, isEmpty: Bool, _ rule: Strategy.Rule,
    _ mark: WriteLog<Model>.Mark?, _ stamp: FetchStamp?
  ) async -> Attempt? {
    guard verdict.error != .cancelled, mark.map({ !$0.isSignedOut }) ?? false else {
      late.cancel()
      return nil
    }
    if isEmpty, let timeout = rule.timeout {
      let result = await late.value(within: timeout)
      if case .success(let answer)? = result {
        late.end()
        return (answer.models, late.metadata(answer))
      }
      if result != nil {
        late.end()
        return nil
      }
      // The call ends with that, and cancels the attempt.
      if Task.isCancelled {
        return ([], Evocation.Metadata(role: .target, error: Cancellation.error()))
      }
    }
    keep(late, rule, mark, stamp)
    return nil
  }

  /// Saves the late answer when it comes, unless one that is as new is on its way behind an answer.
  private func keep(
    _ late: LateAnswer<Model>, _ rule: Strategy.Rule, _ mark: WriteLog<Model>.Mark?,
    _ stamp: FetchStamp?
  ) {
    guard case .read(let action, let criteria) = operation,
      let ticket = proxy.joins.beginAlone(
        ReadJoins.Kind(action, wiring, isBehindAnswer: true), criteria, by: beginning)
    else { return late.cancel() }
    // No call waits for it, so it runs outside the scope of the write that this call may be in.
    WriteScope.apart {
      _ = Task(executorPreference: start?.another()) {
        defer { _ = proxy.joins.end(ticket) }
        guard let result = await late.value(within: LateAnswer<Model>.longest) else {
          return late.cancel()
        }
        late.end()
        await save(late, result, rule, mark, stamp)
      }
    }
  }

  private func save(
    _ late: LateAnswer<Model>, _ result: Result<Answer<Model>, any Error>, _ rule: Strategy.Rule,
    _ mark: WriteLog<Model>.Mark?, _ stamp: FetchStamp?
  ) async {
    guard case .success(let answer) = result else { return }
    var record = CallRecord(model: proxy.model, call: operation.name)
    record.note(late.metadata(answer), of: .remote)
    if !answer.models.isEmpty || rule.synchronize == .mirror {
      let saved = await synchronize(
        .local, with: answer.models, rule, mark, stamp, versions: answer.versions)
      record.note(saved, of: .local)
    }
    proxy.environment.onEvent?(record.trace)
  }
}

extension Strategy.Rule {
  /// Whether it has an effect on reads that their answers are kept where they come late.
  var keepsLateAnswers: Bool {
    keepsLate && timeout != nil && target == .remote && synchronize != .off
  }

  /// How long a read waits for the result of an equal one; nil for any time.
  ///
  /// It is as long as it would wait for its own request.
  func longestWait<Model>(for call: Call<Model>) -> Duration? {
    timeout.map { call.canKeepLate(self) ? $0.adding($0) : $0 }
  }
}
