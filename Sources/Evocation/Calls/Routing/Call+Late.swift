/// An attempt at the target that may go on after its timeout, so that its answer is saved.
package final class LateAnswer<Model: Sendable>: Sendable {
  /// How long to wait for an answer after its timeout: as long as a request of `URLSession` takes.
  static var longest: Duration { .seconds(60) }

  /// The result of the attempt, which may come before the timeout.
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

  /// Records that the timeout has passed.
  func keep(_ task: Task<Void, Never>) {
    worker.withLock { $0 = task }
  }

  /// Cancels the attempt if it goes on, and saves nothing of it.
  func cancel() {
    end()?.cancel()
  }

  /// Stops keeping the attempt, and returns its task; nil if it does not go on.
  @discardableResult
  func end() -> Task<Void, Never>? {
    worker.withLock { worker in
      defer { worker = nil }
      return worker
    }
  }

  /// Waits for the answer; nil if it does not come in time, or this task is canceled first.
  func value(within limit: Duration) async -> Result<Answer<Model>, any Error>? {
    let first = Promise<Result<Answer<Model>, any Error>?>()
    answer.whenFulfilled { [answer] in first.fulfil(answer.present) }
    return await first.value(within: limit, by: time, else: nil, ifCancelled: nil)
  }

  /// Returns the metadata of a late answer.
  func metadata(_ answer: Answer<Model>) -> Evocation.Metadata {
    Evocation.Metadata(
      role: .target, duration: time.now().subtracting(start), count: answer.count,
      values: answer.values, versions: answer.versions)
  }
}

/// A target that answers a read after the rule's timeout.
extension Call {
  /// Returns whether the answer is saved if it comes after the timeout.
  func canKeepLate(_ rule: Strategy.Rule) -> Bool {
    rule.keepsLateAnswers && operation.isRead && operation.givesModels && wiring.hasLocal
  }

  /// Whether anything is left of the time that the call may wait by its rule.
  func hasTime(for rule: Strategy.Rule) -> Bool {
    guard let waitingSince, let limit = rule.longestWait(for: self) else { return true }
    return proxy.environment.time.now().subtracting(waitingSince) < limit
  }

  /// Returns the attempt of a read that has waited for another read as long as its rule allows.
  func lateness(_ rule: Strategy.Rule) -> Evocation.Metadata {
    let limit = rule.longestWait(for: self) ?? .zero
    let error = EvocationError.timedOut(
      rule.target, model: proxy.model, after: rule.timeout ?? limit)
    return Evocation.Metadata(role: .target, duration: limit, attempts: 0, error: error)
  }

  /// Decides about an attempt that goes on after its timeout, when the call would end.
  ///
  /// If the fallback has nothing, the call waits for the attempt, once more as long as the timeout.
  /// It then returns the answer, or the caller's cancellation. Otherwise it returns nil, and the
  /// answer is saved after the call has returned.
  func settle(
    _ late: LateAnswer<Model>, _ verdict: Route.Verdict, isEmpty: Bool, rule: Strategy.Rule,
    mark: WriteLog<Model>.Mark?, stamp: FetchStamp?
  ) async -> Attempt? {
    guard verdict.error != .cancelled, mark.map({ !$0.isSignedOut }) ?? false else {
      late.cancel()
      return nil
    }
    if isEmpty, let timeout = rule.timeout {
      let left = waitingSince.map {
        $0.adding(timeout).adding(timeout).subtracting(proxy.environment.time.now())
      }
      let result = await late.value(within: left ?? timeout)
      if case .success(let answer)? = result {
        late.end()
        return (answer.models, late.metadata(answer))
      }
      if result != nil {
        late.end()
        return nil
      }
      // The call ends with the cancellation, and cancels the attempt.
      if Task.isCancelled {
        return ([], Evocation.Metadata(role: .target, error: Cancellation.error()))
      }
    }
    keep(late, rule, mark: mark, stamp: stamp)
    return nil
  }

  /// Saves the late answer when it comes, unless an equal read behind an answer is under way.
  private func keep(
    _ late: LateAnswer<Model>, _ rule: Strategy.Rule, mark: WriteLog<Model>.Mark?,
    stamp: FetchStamp?
  ) {
    let isKept = readBehind { [self] in
      guard let result = await late.value(within: LateAnswer<Model>.longest) else {
        late.cancel()
        return nil
      }
      late.end()
      guard case .success(let answer) = result else { return nil }
      var record = CallRecord(model: proxy.model, call: operation.name)
      record.add(late.metadata(answer), of: .remote)
      let rule = saving(answer.models, answer.values, by: rule)
      if !answer.models.isEmpty || rule.synchronize == .mirror {
        let saved = await synchronize(
          .local, with: answer.models, rule: rule, mark: mark, stamp: stamp,
          versions: answer.versions, unsaid: proxy.unsaid(answer.models, answer.values))
        record.add(saved, of: .local)
      }
      return record
    }
    if !isKept { late.cancel() }
  }
}

extension Strategy.Rule {
  /// Whether reads by this rule save answers that come late.
  var keepsLateAnswers: Bool {
    !isBehind && timeout != nil && target == .remote && synchronize != .off
  }

  /// Returns how long a read waits for the result of an equal read; nil for any time.
  ///
  /// It is as long as the read would wait for its own request.
  func longestWait<Model>(for call: Call<Model>) -> Duration? {
    timeout.map { call.canKeepLate(self) ? $0.adding($0) : $0 }
  }
}
